/** What a card says about its character, as that character would say it of itself. */
import type { Language } from 'dsh-tavern-protocol'
import { verbOf } from './common-words.ts'
import { isSpeakable } from './discretion.ts'
import type { Persona } from './persona-reading.ts'
import { cjkCount, escaped, sentencesOf } from './words.ts'

/** Attitudes and wants, not plain biography: those are worth saying in company. */
export function ownStatements(persona: Persona, language: Language): readonly string[] {
  const sentences = sentencesOf(
    language === 'zh' ? persona.description : `${persona.description}\n${persona.personality}`,
  ).filter(isSpeakable)
  const found =
    language === 'zh'
      ? sentences.flatMap((sentence) => chineseStatements(sentence, persona.name))
      : sentences.flatMap((sentence) => englishStatements(sentence, persona.name))
  return [...new Set(found)]
}

const attitudes =
  /^(?:want|wish|hope|dream|need|long|fear|hate|love|like|miss|refuse|believe|trust|owe|keep (?!the |an? )|remember|collect|prefer|never|always|still|cannot|can't|do not|don't)/

function englishStatements(sentence: string, name: string): readonly string[] {
  const clauses = sentence
    .replace(/[.!?…]+$/u, '')
    .split(
      /;|, (?:and|but) (?=(?:never|always|still|she|he|they)\b)|, (?=(?:who|which|though|because)\b)/,
    )
  return clauses.flatMap((clause) => {
    const first = asFirstPerson(clause.trim(), name)
    if (first === undefined || !attitudes.test(first.replace(/^I /, ''))) return []
    return first.split(' ').length <= 16 ? [`${first}.`] : []
  })
}

/** `She never trusts a man who counts his change` → `I never trust a man who counts his change`. */
function asFirstPerson(clause: string, name: string): string | undefined {
  const [subject = '', ...others] = name.split(' ')
  const heads = [name, subject, ...others, 'She', 'He', 'They', 'she', 'he', 'they', 'You'].filter(
    Boolean,
  )
  const head = heads.find((one) => clause.startsWith(`${one} `))
  const rest = head === undefined ? clause : clause.slice(head.length + 1)
  const [, adverb = '', verb = '', tail = ''] =
    /^((?:never|always|still|only|often|rarely|really) )?(\S+)(.*)$/i.exec(rest) ?? []
  const own = firstPersonVerb(verb, head !== undefined)
  if (own === undefined || (head === undefined && own === verb.toLowerCase())) return undefined
  const turned = turnedTail(tail, head === 'You')
  return turned === undefined ? undefined : `I ${adverb.toLowerCase()}${own}${turned}`
}

/** After a subject any word in -s is a verb; without one only a known verb is. */
function firstPersonVerb(verb: string, hasSubject: boolean): string | undefined {
  const form = verb.toLowerCase()
  const fixed: Readonly<Record<string, string>> = {
    is: 'am',
    are: 'am',
    has: 'have',
    does: 'do',
    "doesn't": "don't",
    was: 'was',
    "isn't": 'am not',
    can: 'can',
    "can't": "can't",
    cannot: 'cannot',
    will: 'will',
    would: 'would',
    have: 'have',
    had: 'had',
  }
  return (
    fixed[form] ??
    (form.endsWith('ing') || form.endsWith('ed')
      ? undefined
      : (verbOf(form) ?? (hasSubject ? withoutS(form) : undefined)))
  )
}

function withoutS(form: string): string | undefined {
  if (!/[^s]s$/.test(form)) return undefined
  return form
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/s$/, '')
}

/** Possessives and later verbs; undefined where somebody else is meant. */
function turnedTail(tail: string, second: boolean): string | undefined {
  if (
    second ? /\b(?:he|she|they)\b/i.test(tail) : /\b(?:you|I|he|she|they|him|them)\b/i.test(tail)
  ) {
    return undefined
  }
  const possessives = second ? /\byour\b/g : /(?<!\bwho \w+ )\b(?:his|her|their)\b(?= \w)/g
  return tail
    .replaceAll(possessives, 'my')
    .replaceAll(/\b(?:himself|herself|themselves|themself|yourself)\b/g, 'myself')
    .replaceAll(
      /\b(and|but|then) ((?:never|always|still) )?(\w+s)\b(?= (to|a|an|the|his|her|their|my|every|no)\b|)/g,
      (whole, join: string, adverb = '', verb: string, object?: string) => {
        const isVerb = adverb !== '' || object !== undefined
        const own = verbOf(verb) ?? (isVerb ? withoutS(verb) : undefined)
        return own === undefined ? whole : `${join} ${adverb}${own}`
      },
    )
}

const attitudesZh =
  /^(?:从不|从来不|总是|一直|最?想|要|希望|盼|最?喜欢|最?讨厌|最?怕|害怕|最?恨|最?爱|不?相信|不信|只信|舍不得|不肯|忘不了|记得|欠|惦记)/u

function chineseStatements(sentence: string, name: string): readonly string[] {
  return sentence
    .replace(/[。！？…]+$/u, '')
    .split(/[，；、]/u)
    .map((clause) => clause.trim().replace(new RegExp(`^(?:${escaped(name)}|[她他它你])`, 'u'), ''))
    .filter((clause) => attitudesZh.test(clause) && cjkCount(clause) >= 4 && clause.length <= 24)
    .filter((clause) => !/[她他它你]/u.test(clause.replaceAll(/[她他你]的/gu, '')))
    .map((clause) => `我${clause.replaceAll(/[她他你]的/gu, '我的')}。`)
}
