/** The line a person is typing: what comes meanwhile is written above it, and it is drawn again below. */
import { clearScreenDown, cursorTo, type Interface, moveCursor } from 'node:readline'

export class TypingLine {
  readonly #output: NodeJS.WritableStream
  #lines: Interface | undefined
  #isIdle: () => boolean = () => false
  /** The prompt stands on the screen. */
  #isPrompted = false
  /** What was written last has not come to its line's end. */
  #isOpen = false

  constructor(output: NodeJS.WritableStream) {
    this.#output = output
  }

  /** `isIdle`: nothing that the person asked for is awaited. */
  attach(lines: Interface, isIdle: () => boolean): void {
    this.#lines = lines
    this.#isIdle = isIdle
  }

  detach(): void {
    this.#lines = undefined
  }

  write(text: string): void {
    if (text === '') return
    this.#clear()
    this.#output.write(text)
    this.#isOpen = !text.endsWith('\n')
    const lines = this.#lines
    if (lines?.terminal && (this.#isIdle() || lines.line !== '')) this.prompt()
  }

  /** Draws the prompt and what is typed; a text that is still coming ends first. */
  prompt(): void {
    if (!this.#lines || this.#isOpen) return
    this.#isPrompted = true
    this.#lines.prompt(true)
  }

  /** The line was entered: it stays where it is. */
  entered(): void {
    this.#isPrompted = false
  }

  #clear(): void {
    const lines = this.#lines
    if (!lines?.terminal || this.#isOpen) return
    if (!this.#isPrompted && lines.line === '') return
    const { rows } = this.#isPrompted ? lines.getCursorPos() : { rows: 0 }
    moveCursor(this.#output, 0, -rows)
    cursorTo(this.#output, 0)
    clearScreenDown(this.#output)
    this.#isPrompted = false
    // readline would go up by the rows that stood here
    if ('prevRows' in lines) lines.prevRows = 0
  }
}
