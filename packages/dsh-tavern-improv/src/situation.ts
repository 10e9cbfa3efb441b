/** What a speaker has to go on for one answer: who said what, what it is about, what it must keep. */
import type { Language } from 'dsh-tavern-protocol'
import type { Heard, WorldFact } from './briefing-reading.ts'
import { discretionOf, type Discretion, isSpeakable } from './discretion.ts'
import { isQuestion, type SpeechAct, speechActOf, spokenPart } from './hearing.ts'
import type { RequestReading } from './request-reading.ts'
import { Draws } from './seeded.ts'
import { type Topic, topicsOf } from './topics.ts'
import { readVoice, type Voice } from './voice.ts'
import { cjkCount, languageOf, sentencesOf, wordsOf } from './words.ts'
import { isAbout, spokenFact } from './world-talk.ts'

/** Something that could be brought up, and whether it has to do with what was said. */
export interface Matter {
  readonly text: string
  readonly isRelevant: boolean
}

export interface Situation {
  readonly language: Language
  readonly voice: Voice
  readonly discretion: Discretion
  /** What is answered. */
  readonly focus: Heard | undefined
  readonly act: SpeechAct
  /** Who said it; undefined for narration and messages without a name. */
  readonly speaker: string | undefined
  /** The same where it is a name one can call out, as `You` is not. */
  readonly speakerName: string | undefined
  /** Who was spoken to by name, where that is somebody else. */
  readonly addressee: string | undefined
  readonly others: readonly string[]
  readonly topics: readonly Topic[]
  /** What another said before, and who. */
  readonly past: { readonly topic: Topic; readonly by: string } | undefined
  readonly heardWords: ReadonlySet<string>
  readonly isTouched: boolean
  readonly hasSecrets: boolean
  readonly facts: readonly Matter[]
  readonly lore: readonly Matter[]
  /** What the cue asks to be said, and what that is about. */
  readonly errand: { readonly words: string; readonly topic: Topic | undefined } | undefined
}

export function readSituation(reading: RequestReading): Situation {
  const { language, briefing, persona } = reading
  const voice = voiceOf(reading)
  const focus = focusOf(reading)
  const text = focus === undefined ? '' : spokenPart(focus.text) || focus.text
  const others = briefing.others.map(({ name }) => name).filter((name) => !isNoName(name))
  const isQuiet = focus?.kind === 'whisper'
  const known = [persona.name, focus?.by ?? '', ...others]
  const act = speechActOf(focus, language)
  const discretion = discretionOf(briefing, language)
  const heardWords = new Set(isQuiet ? [] : wordsOf(text, language))
  return {
    language,
    voice,
    discretion,
    focus,
    act,
    speaker: focus?.by || undefined,
    speakerName: focus === undefined || isNoName(focus.by) ? undefined : focus.by,
    addressee: isQuiet
      ? undefined
      : others.find(
          (name) => name !== focus?.by && addresses(text, name) && !addresses(text, persona.name),
        ),
    others,
    topics: isQuiet
      ? []
      : topicsOf({
          text,
          language,
          known,
          isToMe: others.length < 2 || addresses(text, persona.name),
        }),
    past: pastOf(
      briefing.heard.filter((one) => one !== focus && one.by !== focus?.by),
      reading,
    ),
    heardWords,
    isTouched: !isQuiet && discretion.touchedBy(text) >= (isQuestion(act) ? 1 : 2),
    hasSecrets: briefing.secrets.length > 0,
    facts: worldNow(reading).flatMap((fact) => {
      const spoken = spokenFact(fact, language)
      return spoken === undefined
        ? []
        : [{ text: spoken, isRelevant: isAbout(fact, [...heardWords]) }]
    }),
    lore: loreOf(reading, heardWords),
    errand: errandOf(reading),
  }
}

/** Voices of the newest cards: a card is read once, not for each request. */
const voices = new Map<string, Voice>()
const VOICES = 256

function voiceOf({ persona, language, greeting, system }: RequestReading): Voice {
  const key = [language, greeting, system].join('\u0000')
  const voice = voices.get(key) ?? readVoice(persona, language, greeting)
  voices.delete(key)
  voices.set(key, voice)
  const [oldest] = voices.keys()
  if (voices.size > VOICES && oldest !== undefined) voices.delete(oldest)
  return voice
}

function isNoName(name: string): boolean {
  return name === '' || /^(?:you|user|player|human|你|玩家|用户)$/i.test(name)
}

function addresses(text: string, name: string): boolean {
  if (name === '') return false
  if (cjkCount(name) > 0) return text.includes(name)
  return wordsOf(name, 'en').some((part) => part.length > 2 && wordsOf(text, 'en').includes(part))
}

/** What is answered: mostly the last thing heard, sooner a line to this character or from a person. */
function focusOf({ seed, briefing, persona }: RequestReading): Heard | undefined {
  const persons = new Set(
    briefing.others.filter(({ id }) => id.startsWith('seat:')).map(({ name }) => name),
  )
  const isPersons = ({ by, kind }: Heard) => kind === 'line' && (persons.has(by) || isNoName(by))
  const newest = briefing.heard.slice(-4)
  const recent = newest.slice(Math.max(0, newest.findLastIndex(isPersons)))
  const weights = recent.map((heard, index) => {
    const age = recent.length - 1 - index
    const isToMe = heard.kind === 'whisper' || addresses(heard.text, persona.name)
    const interest = 1 + (isToMe ? 8 : 0) + (isPersons(heard) ? 10 : 0) + (age === 0 ? 2 : 0)
    return [heard, interest / (1 + age * 0.6)] as const
  })
  return new Draws(`${seed}/focus`).weighted(weights)
}

function pastOf(
  earlier: readonly Heard[],
  { language, persona, briefing }: RequestReading,
): Situation['past'] {
  const names = [persona.name, ...briefing.others.map(({ name }) => name)]
  for (const heard of earlier.toReversed()) {
    const { by, text, kind } = heard
    if (kind !== 'line' || isNoName(by) || speechActOf(heard, language) === 'loss') continue
    const [topic] = topicsOf({ text: spokenPart(text), language, known: names, isToMe: false })
    if (topic)
      return {
        topic: { ...topic, ref: topic.ref.replace(/^your /, `${by}'s `) },
        by,
      }
  }
  return undefined
}

/** The world with what this character has just changed in it. */
function worldNow({ briefing, steps }: RequestReading): readonly WorldFact[] {
  return briefing.world.map((fact) => {
    const change = steps.findLast(
      ({ name, args, failed }) => name === 'world_set' && !failed && args['key'] === fact.key,
    )
    return change === undefined ? fact : { ...fact, value: change.args['value'] }
  })
}

/** Single sentences of remembered text in this language, short enough to be said. */
function loreOf(
  { briefing, language }: RequestReading,
  heardWords: ReadonlySet<string>,
): readonly Matter[] {
  const sentences = briefing.lore.flatMap(sentencesOf)
  return sentences
    .filter(
      (text) => languageOf(text) === language && isSpeakable(text) && !/\p{L}[:：]/u.test(text),
    )
    .filter(
      (text) =>
        wordsOf(text, language).length >= 3 && text.length <= (language === 'zh' ? 48 : 140),
    )
    .map((text) => ({
      text: /[.!?。！？…]["”’」]?$/u.test(text) ? text : `${text}${language === 'zh' ? '。' : '.'}`,
      isRelevant: topicsOf({ text, language, known: [] }).some(({ bare }) =>
        wordsOf(bare, language).some((word) => heardWords.has(word)),
      ),
    }))
}

function errandOf({ briefing, language, persona }: RequestReading): Situation['errand'] {
  const { instruction } = briefing
  if (instruction === '') return undefined
  const said =
    /^(?:please )?(?:say|tell \p{L}+|let \p{L}+ know|announce) (?:that )?["“]?([^"”]{6,160})/iu.exec(
      instruction,
    ) ?? /^(?:请)?(?:说|宣布|告诉.{1,6}?)[：:，,]?[“"]?([^”"]{4,60})/u.exec(instruction)
  const words = said && !/^(?:about|关于)/u.test(said[1] ?? '') ? (said[1] ?? '').trim() : ''
  const [topic] = topicsOf({ text: instruction, language, known: [persona.name], isToMe: false })
  const isOwn = languageOf(words) === language
  return {
    words: isOwn && !/^(?:about|something|them|him|her|what)\b/i.test(words) ? words : '',
    topic,
  }
}
