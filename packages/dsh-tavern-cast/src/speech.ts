/** A model's text made one character's own: no name in front, nothing said for anyone else. */

export interface SpeechRequest {
  readonly self: string
  /** Names of everyone else who can be spoken for: the cast and the persons in the seats. */
  readonly others: readonly string[]
}

/**
 * The text up to the first line that begins with another's name and a colon, without the own name
 * in front. A text whose very first words are another's name is kept: it may be a call to that one.
 */
export function ownSpeech(text: string, { self, others }: SpeechRequest): string {
  const whole = text.trim()
  const unlabelled = afterLabel(whole, self)
  const lines = (unlabelled ?? whole).trim().split('\n')
  const mayBeOthers = unlabelled === undefined ? 1 : 0
  const end = lines.findIndex(
    (line, index) => index >= mayBeOthers && isLabelled(line.trimStart(), others),
  )
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trim()
}

/** The same for a text that is still coming: what it gives out will stand. */
export class SpeechStream {
  readonly #request: SpeechRequest
  /** `line`: what is held begins at the start of a line; `inside`: it goes on with one of our own. */
  #at: 'opening' | 'line' | 'inside' | 'over' = 'opening'
  #held = ''

  constructor(request: SpeechRequest) {
    this.#request = request
  }

  /** What can be shown on top of all it gave before; '' while that is open. */
  add(piece: string): string {
    this.#held += piece
    if (this.#at === 'opening') this.#open()
    let given = ''
    while (this.#at === 'line' || this.#at === 'inside') {
      const fresh = this.#at === 'line' ? this.#beginLine() : this.#restOfLine()
      if (fresh === undefined) break
      given += fresh
    }
    return given
  }

  #open(): void {
    const { self } = this.#request
    const text = this.#held.trimStart()
    if (text === '' || mayBecomeLabel(text, self)) return
    const unlabelled = afterLabel(text, self)?.trimStart()
    if (unlabelled === '') return
    this.#held = unlabelled ?? text
    this.#at = unlabelled === undefined ? 'inside' : 'line'
  }

  /** The white space before a line of our own; undefined while it may be another's, or is. */
  #beginLine(): string | undefined {
    const { others } = this.#request
    const line = this.#held.trimStart()
    if (line === '' || others.some((name) => mayBecomeLabel(line, name))) return undefined
    if (isLabelled(line, others)) {
      this.#at = 'over'
      return undefined
    }
    const space = this.#held.slice(0, this.#held.length - line.length)
    this.#held = line
    this.#at = 'inside'
    return space
  }

  /** White space at its end waits for what follows it. */
  #restOfLine(): string | undefined {
    const newline = this.#held.indexOf('\n')
    const text = (newline < 0 ? this.#held : this.#held.slice(0, newline)).trimEnd()
    this.#held = this.#held.slice(text.length)
    if (newline >= 0) this.#at = 'line'
    return newline < 0 && text === '' ? undefined : text
  }
}

function isLabelled(line: string, names: readonly string[]): boolean {
  return names.some((name) => afterLabel(line, name) !== undefined)
}

/** What follows `Name:`, `**Name:**` or `**Name**:`; undefined when the text does not begin so. */
function afterLabel(text: string, name: string): string | undefined {
  const label = readLabel(text, name)
  if (label?.rest === undefined || !/^[:：]/.test(label.rest)) return undefined
  const rest = label.rest.slice(1).trimStart()
  if (label.unclosed.startsWith(rest)) return ''
  // emphasis that goes on after the colon belongs to what is said
  return rest.startsWith(label.unclosed)
    ? rest.slice(label.unclosed.length)
    : `${label.unclosed}${rest}`
}

/** More text may make it such a label, or may still belong to it. */
function mayBecomeLabel(text: string, name: string): boolean {
  const label = readLabel(text, name)
  if (label === undefined) return false
  const { rest, unclosed } = label
  if (rest === undefined || rest === '') return true
  if (unclosed === '') return false
  return unclosed.startsWith(/^[:：]/.test(rest) ? rest.slice(1).trimStart() : rest)
}

interface Label {
  /** What follows the name; undefined while the name itself is not whole. */
  readonly rest: string | undefined
  /** Emphasis that was opened before the name and is not closed yet. */
  readonly unclosed: string
}

/** Undefined when the text begins otherwise. */
function readLabel(text: string, name: string): Label | undefined {
  const mark = /^\*{0,2}/.exec(text)?.[0] ?? ''
  const typed = text.slice(mark.length)
  if (name === '' || !isSame(typed.slice(0, name.length), name.slice(0, typed.length))) {
    return undefined
  }
  if (typed.length < name.length) return { rest: undefined, unclosed: mark }
  const rest = withoutIndent(typed.slice(name.length))
  const isClosed = mark !== '' && rest.startsWith(mark)
  return isClosed
    ? { rest: withoutIndent(rest.slice(mark.length)), unclosed: '' }
    : { rest, unclosed: mark }
}

/** A name and its colon stand on one line. */
function withoutIndent(text: string): string {
  return text.replace(/^[^\S\n]+/, '')
}

function isSame(left: string, right: string): boolean {
  return left.toUpperCase() === right.toUpperCase()
}
