/** How much a draft repeats what was said before: nothing said twice in a row, nothing taken from others. */
import type { Language } from 'dsh-tavern-protocol'
import { overlap, sentencesOf, wordsOf } from './words.ts'

interface Said {
  readonly words: readonly string[]
  /** Runs of four words, and whole sentences shorter than that. */
  readonly runs: ReadonlySet<string>
}

/** Only the newest are compared, so that the cost does not grow with the scene. */
const OWN_TEXTS = 40
const HEARD_TEXTS = 24

/** The fault of a draft that was said word for word before. */
const SAME = 100

export class Memory {
  readonly #language: Language
  /** Newest first. */
  readonly #own: readonly Said[]
  readonly #heard: readonly Said[]
  /** All of them: exactly the same is never said again. */
  readonly #exactly: ReadonlySet<string>

  constructor(ownTexts: readonly string[], heard: readonly string[], language: Language) {
    this.#language = language
    this.#own = ownTexts
      .slice(-OWN_TEXTS)
      .toReversed()
      .map((text) => this.#said(text))
    this.#exactly = new Set(ownTexts)
    this.#heard = heard.slice(-HEARD_TEXTS).map((text) => this.#said(text))
  }

  /** 0 for a draft that is new; the more it repeats, and the more recently, the more. */
  repetition(draft: string): number {
    if (this.#exactly.has(draft)) return SAME
    const said = this.#said(draft)
    return this.#likeOwn(said) + this.#likeHeard(said) + this.#opening(said)
  }

  #likeOwn(said: Said): number {
    let sum = 0
    for (const [age, earlier] of this.#own.entries()) {
      const alike = overlap(said.words, earlier.words)
      if (alike > 0.9) sum += 60
      else if (alike > (age < 2 ? 0.4 : age < 8 ? 0.6 : 0.8)) sum += age < 2 ? 12 : 5
      sum += shared(said, earlier) * (age < 4 ? 2 : age < 12 ? 0.7 : 0.1)
    }
    return sum
  }

  #likeHeard(said: Said): number {
    return this.#heard
      .map(
        (earlier) =>
          (overlap(said.words, earlier.words) > 0.6 ? 10 : 0) + 2 * shared(said, earlier),
      )
      .reduce((sum, fault) => sum + fault, 0)
  }

  #opening({ words }: Said): number {
    const [first, second] = this.#own
    const begins = (earlier: Said | undefined, count: number) =>
      earlier !== undefined &&
      earlier.words.slice(0, count).join(' ') === words.slice(0, count).join(' ')
    return (begins(first, 1) ? 3 : 0) + (begins(second, 2) ? 2 : 0)
  }

  #said(text: string): Said {
    const sentences = sentencesOf(text.replaceAll(/[*"“”「」（）]/gu, ' ')).map((sentence) =>
      wordsOf(sentence, this.#language),
    )
    return { words: sentences.flat(), runs: new Set(sentences.flatMap(runsOf)) }
  }
}

function runsOf(words: readonly string[]): readonly string[] {
  if (words.length < 4) return words.length < 2 ? [] : [words.join(' ')]
  return words.slice(3).map((_, index) => words.slice(index, index + 4).join(' '))
}

function shared(left: Said, right: Said): number {
  return [...left.runs].filter((run) => right.runs.has(run)).length
}
