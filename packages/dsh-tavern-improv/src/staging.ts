/** The look of an answer: openers, names, gestures and marks as the card has them. */
import type { Phrasing } from './phrasing.ts'
import { isQuestion } from './hearing.ts'
import type { Draws } from './seeded.ts'
import type { Situation } from './situation.ts'
import { capitalised, escaped, sentencesOf, uncapitalised } from './words.ts'

interface Tools {
  readonly phrasing: Phrasing
  readonly draws: Draws
}

/** Parts of speech in order become one line, a gesture before, between or after them. */
export function staged(parts: readonly string[], situation: Situation, tools: Tools): string {
  const { voice, language } = situation
  const isOpen = voice.habits.openers.some((opener) =>
    parts.join(' ').toLowerCase().includes(opener.toLowerCase()),
  )
  const spoken = parts.map((part, index) =>
    index === 0 && !isOpen ? opened(part, situation, tools) : part,
  )
  const speech = namedOnce(
    spoken.map((part) => trailed(named(part, situation, tools), situation, tools.draws)),
    situation,
  )
  const gesture = gestureFor(situation, tools)
  if (gesture === undefined) return quoted(speech, situation)
  const [open, close] = voice.habits.gestureMarks
  const marked = `${open}${gesture}${close}`
  const at =
    tools.draws.weighted([
      [0, 0.6],
      [speech.length, 0.15],
      [Math.min(1, speech.length), 0.25],
    ]) ?? 0
  const space = language === 'zh' && open !== '*' ? '' : ' '
  return [quoted(speech.slice(0, at), situation), marked, quoted(speech.slice(at), situation)]
    .filter((part) => part !== '')
    .join(space)
}

function quoted(speech: readonly string[], { voice, language }: Situation): string {
  if (speech.length === 0) return ''
  const text = speech.join(language === 'zh' ? '' : ' ')
  const marks = voice.habits.quotes
  return marks === undefined ? text : `${marks[0]}${text}${marks[1]}`
}

/** `Aye. We serve stew.` or `Aye, we serve stew.` */
function opened(
  part: string,
  { voice, language, others, speaker, act }: Situation,
  { draws }: Tools,
): string {
  const opener = draws.pick(
    voice.habits.openers.filter(
      (one) => (!isQuestion(act) && act !== 'request') || !/^(?:aye|是|行|好)/iu.test(one),
    ),
  )
  if (
    opener === undefined ||
    !draws.chance(0.3) ||
    part.toLowerCase().startsWith(opener.toLowerCase())
  )
    return part
  if (language === 'zh') return `${opener}，${part}`
  const names = [voice.name, ...others, speaker ?? ''].filter(Boolean)
  const isOneWord = /^[^\s]+[.!?]/.test(part)
  return draws.chance(0.5) || isOneWord
    ? `${capitalised(opener)}. ${part}`
    : `${capitalised(opener)}, ${uncapitalised(part, names)}`
}

/** The last sentence of a short part may end with a name: `We serve stew, love.` */
function named(
  part: string,
  { voice, language, others, speaker }: Situation,
  { draws }: Tools,
): string {
  const vocative = draws.pick(voice.habits.vocatives)
  if (vocative === undefined || !draws.chance(0.16)) return part
  const known = [...others, ...voice.habits.vocatives, speaker ?? ''].filter(Boolean)
  const isNamed = known.some((name) => part.toLowerCase().includes(name.toLowerCase()))
  const last = sentencesOf(part).at(-1) ?? ''
  if (isNamed || last.length > 60 || last.length < 5) return part
  if (language === 'zh') return part.replace(/([。！？])$/u, `，${vocative}$1`)
  return part.replace(/([.!?])$/, `, ${vocative}$1`)
}

/** Nobody calls another by name in every sentence. */
function namedOnce(parts: readonly string[], { voice, speaker }: Situation): readonly string[] {
  const own = speaker === undefined ? '' : voice.callName(speaker)
  return [...voice.habits.vocatives, own]
    .filter(Boolean)
    .reduce((texts: readonly string[], name) => {
      let seen = false
      const called = new RegExp(`[,，] ?${escaped(name)}(?=[.!?…。！？,，])`, 'giu')
      return texts.map((text) =>
        text.replaceAll(called, (whole) => {
          const again = seen
          seen = true
          return again ? '' : whole
        }),
      )
    }, parts)
}

function trailed(part: string, { voice }: Situation, draws: Draws): string {
  const { trail, trailRate } = voice.habits
  if (!draws.chance(Math.min(0.5, trailRate * 0.7))) return part
  return part.replace(/[.。]$/u, trail)
}

function gestureFor({ voice }: Situation, { phrasing, draws }: Tools): string | undefined {
  const own = draws.pick(voice.gestures)
  const rate =
    own === undefined ? (voice.sentences.length === 0 ? 0.2 : 0) : 0.2 + 0.4 * voice.gestureRate
  if (!draws.chance(rate)) return undefined
  if (own === undefined || draws.chance(0.2)) return phrasing.say('pause')
  const tail = draws.chance(0.2) ? phrasing.say('tail') : undefined
  if (tail === undefined || own.length > 60 || /[,，]/u.test(own)) return own
  return /^[,，]/u.test(tail) ? `${own}${tail}` : `${own} ${tail}`
}
