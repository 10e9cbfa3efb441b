/** The fixed headings of a briefing: written by the cast, read by stand-in models and by people in a trace. */

export type Language = 'en' | 'zh'

export interface BriefingHeadings {
  readonly scene: string
  readonly world: string
  readonly secrets: string
  readonly lore: string
  readonly happened: string
  readonly notices: string
  readonly cue: string
}

/** A section starts with `[<heading>]` alone on a line and ends before the next heading. */
export const briefingHeadings: Readonly<Record<Language, BriefingHeadings>> = {
  en: {
    scene: 'Scene',
    world: 'World',
    secrets: 'Only you know',
    lore: 'You remember',
    happened: 'Since you last spoke',
    notices: 'Told to you alone',
    cue: 'Your cue',
  },
  zh: {
    scene: '场景',
    world: '世界',
    secrets: '只有你知道',
    lore: '你记得',
    happened: '你上次开口之后',
    notices: '只告诉你',
    cue: '轮到你了',
  },
}
