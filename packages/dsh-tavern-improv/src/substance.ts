/** What an answer is made of beyond its reaction: own sentences, facts, lore, wants, others' words, hooks. */
import { isRitual, type SpeechAct } from './hearing.ts'
import type { Phrasing } from './phrasing.ts'
import type { Draws } from './seeded.ts'
import type { Matter, Situation } from './situation.ts'

export type Kind =
  | 'own'
  | 'about'
  | 'fact'
  | 'lore'
  | 'admit'
  | 'callback'
  | 'address'
  | 'hint'
  | 'hook'
  | 'close'

export interface Part {
  readonly phrasing: Phrasing
  readonly draws: Draws
  /** What stands before it, in lower case. */
  readonly said: string
}

const endings: ReadonlySet<Kind> = new Set(['address', 'hook', 'close'])

/** Nothing follows it. */
export function endsAnswer(kind: Kind): boolean {
  return endings.has(kind)
}

/** Only what somebody said of their own will is asked about. */
const asksAbout: ReadonlySet<SpeechAct> = new Set([
  'statement',
  'tell',
  'where',
  'who',
  'when',
  'what',
  'howmany',
  'yesno',
  'plan',
])

type Weighted = readonly (readonly [Kind, number])[]

/** How readily each kind comes next; what was used does not come again. */
export function kindsFor(situation: Situation, used: ReadonlySet<string>): Weighted {
  if (situation.act === 'loss') return used.size > 0 ? [] : [['own', 1]]
  const isOver = [...endings].some((kind) => used.has(kind))
  return weights(situation).filter(([kind]) => !used.has(kind) && !(isOver && endings.has(kind)))
}

function weights({
  voice,
  facts,
  lore,
  past,
  others,
  speaker,
  hasSecrets,
  act,
}: Situation): Weighted {
  const telling = act === 'tell' ? 3 : 1
  const bystanders = others.filter((name) => name !== speaker)
  return [
    ['own', voice.sentences.length > 0 ? 6 * telling : 0],
    ['about', act === 'tell' ? 16 : asksAbout.has(act) ? 1.6 : 0],
    ['fact', weightOf(facts, 0.4)],
    ['lore', weightOf(lore, 0.25 * telling)],
    ['admit', voice.statements.length > 0 ? 1.1 : 0],
    ['callback', past === undefined ? 0 : 1.3],
    ['address', bystanders.length > 0 ? 0.9 : 0],
    ['hint', hasSecrets ? 0.5 : 0],
    ['hook', 2],
    ['close', 0.6],
  ]
}

function weightOf(matters: readonly Matter[], idle: number): number {
  if (matters.some(({ isRelevant }) => isRelevant)) return 4
  return matters.length > 0 ? idle : 0
}

type Source = (situation: Situation, part: Part) => string | undefined

const sources: Readonly<Record<Kind, Source>> = {
  own: ownSentence,
  about: (_situation, { phrasing }) => phrasing.topic && phrasing.say('about'),
  fact: ({ facts }, { phrasing, draws, said }) => {
    const fact = matterOf(facts, draws)
    return fact === undefined || said.includes(fact) ? undefined : phrasing.say('world', { fact })
  },
  lore: ({ lore, language }, { phrasing, draws }) => {
    const text = matterOf(lore, draws)
    const opening = phrasing.say('recall')
    return text && opening && `${opening}${language === 'zh' ? '' : ' '}${text}`
  },
  admit: ({ voice }, { phrasing, draws }) => {
    const want = draws.pick(voice.statements)
    return want && phrasing.say('admit', { want })
  },
  callback: ({ past, voice }, { phrasing }) =>
    past && phrasing.say('callback', { other: voice.callName(past.by) }),
  hook: ({ act }, { phrasing, said }) => {
    const { say, topic } = phrasing
    const isOpen = asksAbout.has(act) && !(topic && said.includes(topic.bare.toLowerCase()))
    return say('hook', isOpen ? {} : { topic: undefined, bare: undefined })
  },
  address: (_situation, { phrasing }) => phrasing.say('address'),
  hint: (_situation, { phrasing }) => phrasing.say('hint'),
  close: (_situation, { phrasing }) => phrasing.say('close'),
}

/** Undefined where there is nothing of the kind to say, or it was said just before. */
export function substance(kind: Kind, situation: Situation, part: Part): string | undefined {
  return sources[kind](situation, part)
}

/** What has to do with what was said, where there is such a thing. */
function matterOf(matters: readonly Matter[], draws: Draws): string | undefined {
  const relevant = matters.filter(({ isRelevant }) => isRelevant)
  return draws.pick(relevant.length > 0 ? relevant : matters)?.text
}

/** A sentence of the card, the likelier the more it has to do with what was said. */
function ownSentence(
  { voice, heardWords, topics, act }: Situation,
  { draws, said }: Part,
): string | undefined {
  const telling = new Set(topics.flatMap(({ bare }) => bare.toLowerCase().split(' ')))
  return draws.weighted(
    voice.sentences.map(({ text, about, isQuestion, answers }) => {
      const apt = shared(about, telling) * 6
      const isSaid =
        said.includes(text.toLowerCase()) || text.toLowerCase().includes(said || '\u0000')
      const isOff =
        isSaid || (isRitual(answers) && answers !== act) || (act === 'loss' && apt === 0)
      const weight = (isQuestion ? 0.5 : 1) + apt + shared(about, heardWords) * 0.15
      return [text, isOff ? 0 : weight] as const
    }),
  )
}

function shared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length
}
