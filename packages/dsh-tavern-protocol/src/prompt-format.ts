/** The fixed headings of what a character's model reads: written by the cast, read by stand-in models and people. */

export type Language = 'en' | 'zh'

/** A section is `[<heading>]` alone on a line, then its text up to the next such line. */
export interface BriefingHeadings {
  /** Title, premise on first perception, who is on stage. */
  readonly scene: string
  /** One `- key (version N): <JSON>` a line. */
  readonly world: string
  /** One `- text` a line. */
  readonly secrets: string
  readonly lore: string
  /** One beat a line: `Name: text`, `Name (whispers to you): text`, `* narration *`. */
  readonly happened: string
  /** World changes of this character's that met a newer version. */
  readonly notices: string
  /** Why it acts now, and what is asked of it. */
  readonly cue: string
}

/** Sections of a character's system prompt, in this order; empty ones are left out. */
export interface PersonaHeadings {
  readonly rules: string
  /** Its one line is the character's name. */
  readonly character: string
  readonly description: string
  readonly personality: string
  readonly scenario: string
  /** `Name: text` lines, dialogues parted by `<START>`. */
  readonly examples: string
  /** The card author's own instructions. */
  readonly instructions: string
}

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

export const personaHeadings: Readonly<Record<Language, PersonaHeadings>> = {
  en: {
    rules: 'How you play',
    character: 'You are',
    description: 'Description',
    personality: 'Personality',
    scenario: 'Scenario',
    examples: 'How you talk',
    instructions: 'Instructions',
  },
  zh: {
    rules: '怎么演',
    character: '你是',
    description: '描述',
    personality: '性格',
    scenario: '情境',
    examples: '你怎么说话',
    instructions: '要求',
  },
}
