/** Text at a terminal broken between words, also while it is still coming. */
import stringWidth from 'string-width'

/** Line ends, spaces, single wide characters with the punctuation that may not begin a line, and words. */
const PIECES =
  /\n+|[^\S\n]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][，。！？；：、”’）》」』…]*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

/** No line comes out wider than the terminal, but for words that are. Colours have no width. */
export class Wrapping {
  readonly #columns: () => number
  #column = 0
  /** Spaces before the next word, printed if it stays on this line. */
  #gap = ''
  /** The last word so far: more of it may come. */
  #open = ''

  /** Columns are asked for each time: a terminal's size changes. */
  constructor(columns: () => number) {
    this.#columns = columns
  }

  /** What can be printed now. */
  add(text: string): string {
    const pieces = `${this.#open}${text}`.match(PIECES) ?? []
    this.#open = pieces.at(-1)?.trim() ? (pieces.pop() ?? '') : ''
    return pieces.map((piece) => this.#place(piece)).join('')
  }

  #place(piece: string): string {
    if (piece.startsWith('\n')) {
      this.#gap = ''
      this.#column = 0
      return piece
    }
    if (piece.trim() === '') {
      this.#gap += piece
      return ''
    }
    const gap = this.#gap
    this.#gap = ''
    const width = stringWidth(piece)
    const breaks = this.#column > 0 && this.#column + gap.length + width > this.#columns()
    this.#column = breaks ? width : this.#column + gap.length + width
    return `${breaks ? '\n' : gap}${piece}`
  }
}
