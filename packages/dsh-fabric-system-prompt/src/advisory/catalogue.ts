/** The tools of one catalogue, indexed by word once, and how well each fits a text. Rare words count for more. */
import type { ToolRecord } from '../tool-record.ts'
import { wantsPiece, wantsWords } from './wants-words.ts'
import { FILE, wordsOf } from './words.ts'

export interface Match {
  readonly tool: string
  readonly score: number
  /** The words of the text that speak for the tool, best first. */
  readonly words: readonly string[]
}

interface IndexedTool {
  readonly name: string
  readonly description: string
  readonly weights: ReadonlyMap<string, number>
}

const NAME = 4
const FIRST_SENTENCE = 2
const REST = 0.6
const PARAMETER = 0.4
/** Beyond it a description explains how to use the tool, no longer what it is for. */
const DESCRIPTION_LIMIT = 700
const TEXT_LIMIT = 4_000
const SATURATION = 2
/** One word is an accident. */
const WORDS_NEEDED = 2
/** What is left of the score where nothing is to be done. */
const IN_WORDS = 0.35

export class Catalogue {
  readonly #tools: readonly IndexedTool[]
  readonly #rarity: ReadonlyMap<string, number>
  readonly #unknown: number

  constructor(records: readonly ToolRecord[]) {
    this.#tools = records.map(indexed)
    this.#rarity = rarities(this.#tools)
    this.#unknown = Math.log(1 + 2 * records.length)
  }

  /** Best first; equal ones by name. Sentences are looked at apart, so that far words do not add up. */
  matches(text: string): readonly Match[] {
    const best = new Map<string, Match>()
    for (const sentence of sentencesOf(text)) {
      const words = [...new Set(wordsOf(sentence))]
      const inWords = wantsWords(sentence) || (wantsPiece(sentence) && !words.includes(FILE))
      const share = inWords ? IN_WORDS : 1
      for (const tool of this.#tools) {
        const match = this.#match(tool, words, share)
        if (match.score > (best.get(tool.name)?.score ?? 0)) best.set(tool.name, match)
      }
    }
    return [...best.values()].toSorted(
      (one, other) => other.score - one.score || (one.tool < other.tool ? -1 : 1),
    )
  }

  descriptionOf(tool: string): string {
    return this.#tools.find(({ name }) => name === tool)?.description ?? ''
  }

  /** What the tool has of the words' worth, and how much of the text is about it at all. */
  #match({ name, weights }: IndexedTool, words: readonly string[], share: number): Match {
    const parts = words
      .map((word) => ({ word, score: this.#worth(word) * saturated(weights.get(word) ?? 0) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
    if (parts.length < WORDS_NEEDED) return { tool: name, score: 0, words: [] }
    const total = words.reduce((sum, word) => sum + this.#worth(word), 0)
    const covered = parts.reduce((sum, { word }) => sum + this.#worth(word), 0)
    const sum = parts.reduce((whole, { score }) => whole + score, 0)
    return {
      tool: name,
      score: share * sum * Math.sqrt(covered / total),
      words: parts.map(({ word }) => word),
    }
  }

  #worth(word: string): number {
    return this.#rarity.get(word) ?? this.#unknown
  }
}

function saturated(weight: number): number {
  return weight / (weight + SATURATION)
}

function indexed({ name, description, parameters }: ToolRecord): IndexedTool {
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const word of new Set(wordsOf(text.slice(0, TEXT_LIMIT))))
      weights.set(word, (weights.get(word) ?? 0) + weight)
  }
  const [first = '', ...rest] = sentencesOf(withoutCode(description.slice(0, DESCRIPTION_LIMIT)))
  add(name, NAME)
  add(first, FIRST_SENTENCE)
  add(rest.join('\n'), REST)
  add(Object.keys(Object(parameters['properties'])).join(' '), PARAMETER)
  return { name, description, weights }
}

/** What stands between backticks is written in the tool, not what the tool is for. */
function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, ' ')
}

function sentencesOf(text: string): readonly string[] {
  return text
    .slice(0, TEXT_LIMIT)
    .split(/[.!?;]\s|[。！？；\n]/)
    .filter((sentence) => sentence.trim() !== '')
}

/** Inverse document frequency: a word of all tools tells nothing, a word of one tells most. */
function rarities(tools: readonly IndexedTool[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { weights } of tools) {
    for (const word of weights.keys()) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return new Map(
    [...counts].map(([word, count]) => [
      word,
      Math.log(1 + (tools.length - count + 0.5) / (count + 0.5)),
    ]),
  )
}
