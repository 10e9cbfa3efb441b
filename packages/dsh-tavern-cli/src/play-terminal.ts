/** Play at a terminal: type, watch, complete names with Tab; Ctrl-C stops the answer, a second one leaves. */
import { createInterface, type Interface } from 'node:readline'
import { storeFailed } from 'dsh-tavern-cast'
import { actsAtOnce, onlyLooks, type OpenScene, runCommand } from 'dsh-tavern-scene'
import pc from 'picocolors'
import { asksForHelp, helpText, unknownCommandText } from './commands-help.ts'
import { complete } from './completing.ts'
import { exitCodes } from './exit.ts'
import type { Asked } from './play-pipe.ts'
import { printable } from './printable.ts'
import { endingText, seatWords } from './seat-words.ts'
import type { StageView } from './stage-view.ts'
import { unless } from './stopping.ts'
import type { TypingLine } from './typing-line.ts'

/** Under npx one key press can arrive as two signals. */
const SAME_PRESS_MS = 200

/** A second press so soon after a stop leaves. */
const LEAVING_MS = 3000

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  /** What the screen is written through. */
  readonly typing: TypingLine
  /** Shows the scene, and what is told beside it. */
  readonly screen: Pick<StageView, 'note' | 'cutOff'>
}

/** Fails with the reason of `stop` as soon as that is aborted, or when the scene's store fails. */
export async function playTerminal(
  scene: OpenScene,
  asked: Asked,
  stop: AbortSignal,
  terminal: Terminal,
): Promise<number> {
  await new TerminalSeat(scene, terminal).run(asked, stop)
  return exitCodes.done
}

class TerminalSeat {
  readonly #scene: OpenScene
  readonly #lines: Interface
  readonly #terminal: Terminal
  readonly #left = new AbortController()
  readonly #failed = new AbortController()
  /** What is being answered; lines typed meanwhile follow it. */
  #answering: Promise<void> = Promise.resolve()
  #busy = 0
  #pressedAt = 0
  #stoppedAt = 0

  constructor(scene: OpenScene, terminal: Terminal) {
    this.#scene = scene
    this.#terminal = terminal
    this.#lines = createInterface({
      input: terminal.stdin,
      output: terminal.stdout,
      prompt: `${pc.bold(printable(scene.cast.persona))}> `,
      completer: (line: string) => complete(scene, line),
    })
    terminal.typing.attach(this.#lines, () => this.#busy === 0 && !this.#left.signal.aborted)
  }

  async run(asked: Asked, ending: AbortSignal): Promise<void> {
    const lines = this.#lines
    const stop = AbortSignal.any([ending, this.#failed.signal])
    lines.on('SIGINT', () => this.#interrupt())
    // readline would stop this process alone, not the npx before it, and leave a terminal nobody reads
    lines.on('SIGTSTP', () => {})
    const resume = () => this.#resume()
    process.on('SIGCONT', resume)
    lines.on('line', (line) => this.#take(line.trim()))
    lines.once('close', () => {
      if (this.#busy === 0) this.#terminal.stdout.write('\n')
      this.#terminal.typing.detach()
      this.#left.abort()
    })
    const closed = new Promise<void>((resolve) => lines.once('close', resolve))
    this.#note(this.#words.opening)
    this.#during(() => this.#playOwed(asked))
    try {
      await unless(stop, closed)
      this.#scene.cancel()
      await unless(stop, this.#answering)
    } finally {
      process.off('SIGCONT', resume)
      lines.close()
    }
    this.#note(this.#words.kept)
  }

  /** What a dead host left undone is not waited for by who leaves: it stays owed. */
  async #playOwed({ beats, auto }: Asked): Promise<void> {
    const { signal } = this.#left
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await Promise.race([this.#scene.idle(), left])
    if (signal.aborted) return
    const { stage } = this.#scene.run
    const owed = beats === undefined ? (auto ? Number.MAX_SAFE_INTEGER : 0) : beats - stage.beats
    if (owed > 0) await this.#playOn(owed)
  }

  async #playOn(beats: number): Promise<void> {
    const scene = this.#scene
    const call = { scene, speaker: scene.speaker(), signal: this.#left.signal, watching: true }
    const result = await runCommand(`/auto ${beats}`, call)
    if (result?.ended) this.#note(endingText(this.#words, result.ended))
    else if (result) this.#note(result.text)
  }

  #take(line: string): void {
    this.#terminal.typing.entered()
    if (line === '') return this.#ask()
    this.#terminal.stdout.write('\n')
    if (asksForHelp(line) || onlyLooks(line) || actsAtOnce(line)) {
      const acting = this.#say(line).catch((error: unknown) => this.#failedAtOnce(error))
      void acting.then(() => this.#busy === 0 && this.#ask())
      return
    }
    this.#during(() => this.#say(line))
  }

  async #say(line: string): Promise<void> {
    if (this.#left.signal.aborted) return
    const scene = this.#scene
    const speaker = scene.speaker()
    if (!line.startsWith('/')) {
      const id = await scene.nextId('line')
      const outcome = await (await scene.submit(speaker, { id, text: line })).outcome
      if (outcome?.failures.length === 0) this.#note(endingText(this.#words, outcome))
      return
    }
    if (asksForHelp(line)) return this.#note(helpText())
    const result = await runCommand(line, {
      scene,
      speaker,
      signal: this.#left.signal,
      watching: true,
    })
    if (!result) return this.#note(unknownCommandText(line))
    if (result.leaves) return this.#lines.close()
    if (!result.told) this.#note(result.text)
  }

  /** One after another, in the order typed; the prompt returns when nothing is left to answer. */
  #during(task: () => Promise<void>): void {
    this.#busy += 1
    this.#answering = this.#answering.then(task).then(
      () => this.#done(),
      (error: unknown) => {
        if (storeFailed(error)) return this.#failed.abort(error)
        this.#note(error instanceof Error ? error.message : String(error))
        this.#done()
      },
    )
  }

  #failedAtOnce(error: unknown): void {
    if (storeFailed(error)) return this.#failed.abort(error)
    this.#note(error instanceof Error ? error.message : String(error))
  }

  #done(): void {
    this.#busy -= 1
    if (this.#busy === 0) this.#ask()
  }

  #ask(): void {
    if (!this.#left.signal.aborted) this.#terminal.typing.prompt()
  }

  #interrupt(): void {
    const now = Date.now()
    const isSamePress = now - this.#pressedAt < SAME_PRESS_MS
    this.#pressedAt = now
    if (isSamePress) return
    if (this.#busy === 0) return this.#lines.line === '' ? this.#lines.close() : this.#clear()
    if (now - this.#stoppedAt < LEAVING_MS) return this.#lines.close()
    this.#stoppedAt = now
    this.#scene.cancel()
    this.#terminal.screen.cutOff()
    this.#note(this.#words.stopped)
  }

  /** Takes back what was typed and not entered. */
  #clear(): void {
    this.#lines.write(null, { ctrl: true, name: 'e' })
    this.#lines.write(null, { ctrl: true, name: 'u' })
  }

  /** A shell that stopped the process may have taken the terminal's mode; the mode is set anew, as it only changes by a change. */
  #resume(): void {
    const { stdin } = this.#terminal
    if (!('setRawMode' in stdin) || typeof stdin.setRawMode !== 'function') return
    stdin.setRawMode(false)
    stdin.setRawMode(true)
    if (this.#busy === 0) this.#ask()
  }

  get #words() {
    return seatWords[this.#scene.run.scene.language]
  }

  #note(text: string): void {
    if (text !== '') this.#terminal.screen.note(text)
  }
}
