/** How an answer begins: with what was done this turn, what is asked of it, or what was said last. */
import { isCommonWord } from './common-words.ts'
import { isQuestion, isRitual } from './hearing.ts'
import type { Phrasing } from './phrasing.ts'
import { recordOf, type RequestReading, type Step } from './request-reading.ts'
import type { Draws } from './seeded.ts'
import type { Situation } from './situation.ts'
import { capitalised, wordsOf } from './words.ts'
import { spokenFact } from './world-talk.ts'

export interface Lead {
  readonly text: string
  /** Nothing of its own should follow. */
  readonly closes: boolean
}

interface Tools {
  readonly phrasing: Phrasing
  readonly draws: Draws
}

export function leadOf(reading: RequestReading, situation: Situation, tools: Tools): Lead {
  const done = afterStep(reading.steps.at(-1), situation, tools)
  const text =
    done?.text ??
    errand(situation, tools) ??
    (reading.briefing.notices.length > 0 && tools.draws.chance(0.6)
      ? tools.phrasing.say('conflict')
      : undefined) ??
    reaction(situation, tools)
  return { text: text ?? '', closes: done?.closes ?? false }
}

function afterStep(
  step: Step | undefined,
  { language }: Situation,
  { phrasing, draws }: Tools,
): Lead | undefined {
  if (step === undefined) return undefined
  if (step.name === 'leave') return { text: phrasing.say('leave') ?? '', closes: true }
  if (step.name === 'world_set') {
    const fact = spokenFact({ key: String(step.args['key']), value: step.args['value'] }, language)
    const text = step.failed
      ? phrasing.say('failed')
      : isConflict(step)
        ? phrasing.say('conflict')
        : fact && phrasing.say('acted', { fact })
    return text === undefined ? undefined : { text, closes: false }
  }
  const covers = step.name === 'whisper' && !step.failed && draws.chance(0.4)
  const text = covers ? phrasing.say('cover') : undefined
  return text === undefined ? undefined : { text, closes: false }
}

function isConflict({ result }: Step): boolean {
  return recordOf(result)['status'] === 'conflict' || /\bconflict\b/i.test(result)
}

function errand({ errand: asked }: Situation, { phrasing, draws }: Tools): string | undefined {
  if (asked === undefined) return undefined
  if (asked.words !== '') {
    const words = capitalised(asked.words)
    return /[.!?。！？…]$/u.test(words)
      ? words
      : `${words}${/\p{Script=Han}$/u.test(words) ? '。' : '.'}`
  }
  return asked.topic && draws.chance(0.85) ? phrasing.say('instructed') : undefined
}

function reaction(situation: Situation, { phrasing, draws }: Tools): string | undefined {
  const { act, isTouched, addressee, voice, facts } = situation
  if (isTouched && draws.chance(0.75)) return phrasing.say('deflect')
  if (addressee !== undefined && act !== 'greet' && draws.chance(0.5))
    return phrasing.say('overheard', { other: voice.callName(addressee) })
  const own = isRitual(act)
    ? draws.pick(voice.sentences.filter(({ answers }) => answers === act))
    : undefined
  if (own !== undefined && draws.chance(0.5)) return own.text
  const apt = aptAnswer(situation)
  if (apt !== undefined && draws.chance(0.75)) return apt
  if (act === 'request') return phrasing.say(draws.chance(0.55) ? 'comply' : 'refuse')
  const known = facts.filter(({ isRelevant }) => isRelevant)
  const fact = isQuestion(act) && act !== 'why' ? draws.pick(known)?.text : undefined
  const answer =
    (fact && draws.chance(0.8) ? phrasing.say('world', { fact }) : undefined) ??
    phrasing.say(act) ??
    phrasing.say('statement')
  const echo =
    isQuestion(act) && act !== 'tell' && draws.chance(0.4) ? phrasing.say('echo') : undefined
  return [echo, answer].filter(Boolean).join(situation.language === 'zh' ? '' : ' ')
}

/** What the card says to something much like what was said now. */
function aptAnswer({ voice, heardWords, others, language }: Situation): string | undefined {
  const names = new Set([voice.name, ...others].flatMap((name) => wordsOf(name, language)))
  const heard = [...heardWords].filter((word) => !isCommonWord(word, language) && !names.has(word))
  const matched = voice.answers.map(({ text, about }) => {
    const shared = heard.filter((word) => about.has(word)).length
    return { text, score: (2 * shared) / (heard.length + about.size) }
  })
  return matched
    .toSorted((left, right) => right.score - left.score)
    .find(({ score }) => score >= 0.5)?.text
}
