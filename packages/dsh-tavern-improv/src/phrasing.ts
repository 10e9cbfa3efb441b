/** Stock phrases as one character says them: its share of the grammar, its words for others, its habits. */
import type { Language } from 'dsh-tavern-protocol'
import { drawPhrase, type Grammar, type Slots } from './grammar.ts'
import { grammarEn } from './grammar-en.ts'
import { grammarZh } from './grammar-zh.ts'
import { bent } from './habits.ts'
import { type Draws, hashOf } from './seeded.ts'
import type { Situation } from './situation.ts'
import type { Topic } from './topics.ts'
import { spokenNumber } from './world-talk.ts'

const grammars: Readonly<Record<Language, Grammar>> = { en: grammarEn, zh: grammarZh }

export interface Phrasing {
  /** A phrase of the move in this character's way, undefined when none fits what is known. */
  readonly say: (move: string, extra?: Slots) => string | undefined
  readonly topic: Topic | undefined
}

export function phrasingOf(situation: Situation, draws: Draws): Phrasing {
  const { voice, language } = situation
  const topic = situation.errand?.topic ?? topicFor(situation, draws)
  const slots = slotsOf(situation, { topic, draws })
  const say = (move: string, extra: Slots = {}) => {
    const phrase = drawPhrase(grammars[language], move, {
      manners: voice.manners,
      slots: { ...slots, ...extra },
      draws,
      accepts: (one) => isHabitOf(voice.name, one),
    })
    return phrase && bent(phrase, voice.habits)
  }
  return { say, topic }
}

/** Mostly the best topic, now and then the second. */
function topicFor({ topics }: Situation, draws: Draws): Topic | undefined {
  const [first, second] = topics
  return second && draws.chance(0.25) ? second : first
}

/** Each character uses its own three quarters of what its manner offers. */
function isHabitOf(name: string, phrase: string): boolean {
  return hashOf(`${name}/${phrase}`) % 4 !== 0
}

function slotsOf(
  situation: Situation,
  { topic, draws }: { readonly topic: Topic | undefined; readonly draws: Draws },
): Slots {
  const { speaker, speakerName, voice, others, addressee, past, language } = situation
  const vocative = draws.pick(voice.habits.vocatives)
  const bystanders = others.filter((name) => name !== speaker)
  const isMachine = voice.manners[0] === 'mechanical'
  const number = isMachine ? 3 + draws.below(95) : 3 + draws.below(9)
  const called = (name: string | undefined) => name && voice.callName(name)
  return {
    topic: topic?.ref,
    bare: topic?.bare,
    is: topic?.isPlural ? 'are' : 'is',
    it: topic?.isPlural ? 'them' : 'it',
    speaker: called(speakerName) ?? (speaker && (language === 'zh' ? '你' : 'you')),
    you:
      vocative !== undefined && (speakerName === undefined || draws.chance(0.5))
        ? vocative
        : called(speakerName),
    other: called(addressee ?? draws.pick(bystanders)),
    past: past?.topic.ref,
    n: isMachine ? String(number) : spokenNumber(number, language),
  }
}
