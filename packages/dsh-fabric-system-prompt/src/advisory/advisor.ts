/** Which tools are hinted at, to whom, and how often: little, and never twice. */
import type { ToolRecord } from '../tool-record.ts'
import { Catalogue } from './catalogue.ts'

/** One tool hinted at, as it stands in the log. */
export interface Fire {
  readonly tool: string
  readonly score: number
  /** The words that spoke for it; `#` marks a meaning of the lexicon. */
  readonly words: readonly string[]
}

export const FIRES_PER_AGENT = 3
export const CATALOGUES_KEPT = 16
const THRESHOLD = 0.9
/** Beside a much better one, a tool is not what was meant. */
const SHARE_OF_BEST = 0.5

export class Advisor {
  /** By content; the one used last is last. */
  readonly #catalogues = new Map<string, Catalogue>()

  get cataloguesKept(): number {
    return this.#catalogues.size
  }

  /** At most `FIRES_PER_AGENT` with those already fired, and none of them again. */
  advise(
    text: string,
    {
      tools,
      fired,
    }: { readonly tools: readonly ToolRecord[]; readonly fired: ReadonlySet<string> },
  ): readonly Fire[] {
    const left = FIRES_PER_AGENT - fired.size
    if (left <= 0 || text.trim() === '') return []
    const matches = this.catalogueOf(tools).matches(text)
    const least = Math.max(THRESHOLD, SHARE_OF_BEST * (matches[0]?.score ?? 0))
    return matches
      .filter(({ tool, score }) => score >= least && !fired.has(tool))
      .slice(0, left)
      .map((match) => ({ ...match, score: Math.round(match.score * 100) / 100 }))
  }

  /** Indexed once for all who see the same tools. */
  catalogueOf(tools: readonly ToolRecord[]): Catalogue {
    const key = JSON.stringify(
      tools.map(({ name, description, parameters }) => [
        name,
        description,
        Object.keys(Object(parameters['properties'])),
      ]),
    )
    const catalogue = this.#catalogues.get(key) ?? new Catalogue(tools)
    this.#catalogues.delete(key)
    this.#catalogues.set(key, catalogue)
    for (const oldest of this.#catalogues.keys()) {
      if (this.#catalogues.size <= CATALOGUES_KEPT) break
      this.#catalogues.delete(oldest)
    }
    return catalogue
  }
}
