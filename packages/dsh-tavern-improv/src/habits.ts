/** Small things of speech that a card's example dialogue shows, and stock phrases bent to them. */
import type { Language } from 'dsh-tavern-protocol'
import { sentencesOf, wordsOf } from './words.ts'

export interface Habits {
  /** Said before the rest: `Aye`, `Well now`, `啧`. */
  readonly openers: readonly string[]
  /** What it calls others: `love`, `客官`. */
  readonly vocatives: readonly string[]
  /** `Query`, `Status`: words before a colon. */
  readonly labels: readonly string[]
  /** The marks around its speech, empty when there are none. */
  readonly quotes: readonly [string, string] | undefined
  readonly gestureMarks: readonly [string, string]
  readonly bends: readonly Bend[]
  /** What it calls itself in Chinese. */
  readonly self: string
  /** Last marks of a sentence in place of a full stop: `…`, `～`. */
  readonly trail: string
  readonly trailRate: number
  readonly isLowerCase: boolean
}

type Bend = readonly [RegExp, string]

export interface HabitText {
  readonly language: Language
  /** Whole answers with their marks. */
  readonly raw: readonly string[]
}

export function readHabits(speech: readonly string[], { language, raw }: HabitText): Habits {
  const all = speech.join('\n')
  const sentences = speech.flatMap(sentencesOf)
  const trails = sentences.filter((sentence) => /(?:…|\.\.\.|～|~)["”’」]?$/u.test(sentence))
  const stars = raw.join('\n').match(/\*[^*]+\*/gu)?.length ?? 0
  const parens = raw.join('\n').match(/（[^（）]+）/gu)?.length ?? 0
  return {
    openers: openersOf(sentences, language),
    vocatives: vocativesOf(all, language),
    labels: [
      ...new Set(
        Array.from(
          all.matchAll(/(?:^|[.!?]\s)(\p{Lu}\p{L}{2,14}):\s/gmu),
          ([, label = '']) => label,
        ),
      ),
    ],
    quotes: quotesOf(raw),
    gestureMarks: parens > stars ? ['（', '）'] : ['*', '*'],
    bends: language === 'en' ? bendsOf(all) : [],
    self: language === 'zh' ? selfOf(all) : '我',
    trail: trails.some((sentence) => /[～~]/u.test(sentence))
      ? '～'
      : language === 'zh'
        ? '……'
        : '...',
    trailRate: sentences.length === 0 ? 0 : trails.length / sentences.length,
    isLowerCase: language === 'en' && isLowerCase(all),
  }
}

/** Its own word for itself, where it uses one at least half as often as `我`. */
function selfOf(text: string): string {
  const words =
    text.match(/老娘|老子|在下|本座|本王|本宫|小女子|贫道|贫僧|老夫|老身|俺|洒家|吾|本喵|奴家/gu) ??
    []
  const plain = text.match(/我(?!们)/gu)?.length ?? 0
  return words[0] !== undefined && words.length * 2 >= plain ? words[0] : '我'
}

/** A stock phrase as this character would say it. */
export function bent(phrase: string, habits: Habits): string {
  const own = habits.bends.reduce((text, [from, to]) => text.replaceAll(from, to), phrase)
  const cased = habits.isLowerCase ? own.toLowerCase() : own
  return habits.self === '我' ? cased : cased.replaceAll(/我(?!们)/gu, habits.self)
}

function openersOf(sentences: readonly string[], language: Language): readonly string[] {
  const pattern =
    language === 'zh'
      ? /^([\p{Script=Han}]{1,3})[，！。…～]+(?=.)/u
      : /^(\p{L}[\p{L}'’-]*(?: (?:now|then|well|there|no|yes))?)[,.!…]+(?=\s)/u
  const found = sentences.map((sentence) => pattern.exec(`${sentence} `)?.[1] ?? '')
  const short = sentences
    .filter((sentence) => wordsOf(sentence, language).length === 1)
    .map((sentence) => sentence.replace(/[.!…,。！，?？"”]+$/u, ''))
  const all = [...found, ...short].filter(
    (opener) => opener !== '' && isInterjection(opener, language),
  )
  return [...new Set(all)]
}

const interjections =
  /^(?:a+h+|aye|argh|bah|blimey|bless|damn|eh|er|ha+h*|heh|hell|hey|hm+|ho|huh|hush|la|lo|mhm|mm+|now|och|oh|oi|ooh|ow|oy|pah|pfft|pish|psh|sigh|so|tch|tsk|tut|ugh|uh|um|well|whoa|wow|gods|hmph)\b/i

function isInterjection(opener: string, language: Language): boolean {
  if (language === 'en') return interjections.test(opener)
  return /^[哎唉啧哼嘿哈呵喂嗯哦噢喔呀啊咦诶欸嗨嘻切呸罢好行是][\p{Script=Han}]{0,2}$/u.test(opener)
}

const titles =
  'love|dear|dearie|darling|sweetheart|honey|hon|friend|lad|laddie|lass|boy|girl|son|child|kid|stranger|traveller|traveler|sir|madam|milord|milady|my lord|my lady|captain|master|mistress|mate|pal|buddy|brother|sister|fool|human|user|citizen|comrade|old man|young one|little one|my dear|my friend|good sir'

function vocativesOf(text: string, language: Language): readonly string[] {
  const pattern =
    language === 'zh'
      ? /(?:^|[，。！？…～])(客官|兄台|阁下|小兄弟|老弟|老哥|大人|公子|姑娘|小姐|朋友|孩子|主人|少侠|道友|施主|宝贝|亲爱的|小子|丫头)(?=[，。！？…～])/gmu
      : new RegExp(`, (${titles})(?=[.,!?…])|(?:^|[.!?] )(${titles})(?=, )`, 'gimu')
  return [
    ...new Set(
      Array.from(text.matchAll(pattern), ([, after, before]) =>
        (after ?? before ?? '').toLowerCase(),
      ),
    ),
  ].filter(Boolean)
}

function quotesOf(raw: readonly string[]): readonly [string, string] | undefined {
  const pairs = [
    ['"', '"'],
    ['“', '”'],
    ['「', '」'],
  ] as const
  return pairs.find(([open, close]) => {
    const quoted = raw.filter(
      (answer) => answer.includes(open) && answer.lastIndexOf(close) > answer.indexOf(open),
    )
    return quoted.length * 2 > raw.length
  })
}

/** Contractions spelt out by who never contracts, dropped letters by who drops them, and the like. */
function bendsOf(text: string): readonly Bend[] {
  const words = wordsOf(text, 'en')
  const bends: Bend[] = []
  if (words.length >= 25 && !/\p{L}['’](?:s|t|m|d|re|ve|ll)\b/u.test(text))
    bends.push(...spelledOut)
  if (/\b\p{L}{3,}in['’](?!\p{L})/u.test(text))
    bends.push([
      /(\p{L}{3,}in)g\b(?<!\b(?:nothing|thing|king|ring|sing|bring|spring|string)(?=\b))/gu,
      "$1'",
    ])
  if (/['’]em\b/u.test(text)) bends.push([/\bthem\b/g, "'em"])
  if (/\bye\b/.test(text)) bends.push([/\byou\b(?!')/g, 'ye'], [/\byour\b/g, 'yer'])
  if (/\bain['’]t\b/.test(text)) bends.push([/\b(?:isn't|aren't|am not)\b/g, "ain't"])
  if (/\b(?:thou|thee)\b/i.test(text)) bends.push([/\byour\b/g, 'thy'])
  return bends
}

const spelledOut: readonly Bend[] = [
  [/\b[Cc]an't\b/g, 'cannot'],
  [/\b[Ww]on't\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/\bI'm\b/g, 'I am'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/\b(I|[Yy]ou|[Ww]e|[Tt]hey|[Hh]e|[Ss]he)'d\b/g, '$1 would'],
  [
    /\b([Ii]t|[Tt]hat|[Tt]here|[Ww]hat|[Ww]ho|[Ww]here|[Hh]e|[Ss]he|[Nn]obody|[Ss]omebody)'s\b/g,
    '$1 is',
  ],
  [/\b([Ll])et's\b/g, '$1et us'],
]

/** A card that is written all in lower case is spoken so. */
function isLowerCase(speech: string): boolean {
  return wordsOf(speech, 'en').length >= 15 && !/\p{Lu}/u.test(speech.replaceAll(/\bI\b/g, ''))
}
