/** Play at a terminal: type, watch, complete names with Tab; Ctrl-C stops the answer, a second one leaves. */
import { createInterface, type Interface } from 'node:readline'
import { storeFailed } from 'dsh-tavern-cast'
import { type OpenScene, runCommand, sceneCommands } from 'dsh-tavern-scene'
import pc from 'picocolors'
import { exitCodes } from './exit.ts'
import type { Asked } from './play-pipe.ts'
import { printable } from './printable.ts'
import { unless } from './stopping.ts'

/** Under npx one key press can arrive as two signals. */
const SAME_PRESS_MS = 200

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
}

/** Fails with the reason of `stop` as soon as that is aborted, or when the scene's store fails. */
export async function playTerminal(
  scene: OpenScene,
  asked: Asked,
  stop: AbortSignal,
  terminal: Terminal = process,
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
  }

  async run(asked: Asked, ending: AbortSignal): Promise<void> {
    const lines = this.#lines
    const stop = AbortSignal.any([ending, this.#failed.signal])
    lines.on('SIGINT', () => this.#interrupt())
    lines.on('line', (line) => this.#take(line.trim()))
    lines.once('close', () => this.#left.abort())
    const closed = new Promise<void>((resolve) => lines.once('close', resolve))
    this.#during(() => this.#playOwed(asked))
    try {
      await unless(stop, closed)
      this.#scene.cancel()
      await unless(stop, this.#answering)
    } finally {
      lines.close()
    }
    this.#note('The scene is kept. Play it again to go on.')
  }

  /** What a dead host left undone is not waited for by who leaves: it stays owed. */
  async #playOwed({ beats, auto }: Asked): Promise<void> {
    const { signal } = this.#left
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await Promise.race([this.#scene.idle(), left])
    if (signal.aborted) return
    if (beats !== undefined) await this.#scene.auto(beats - this.#scene.run.stage.beats, signal)
    else if (auto) await this.#scene.auto(Number.MAX_SAFE_INTEGER, signal)
  }

  #take(line: string): void {
    if (line === '') return this.#ask()
    this.#terminal.stdout.write('\n')
    this.#during(() => this.#say(line))
  }

  async #say(line: string): Promise<void> {
    if (this.#left.signal.aborted) return
    const scene = this.#scene
    const speaker = scene.speaker()
    if (!line.startsWith('/')) {
      const id = await scene.nextId('line')
      const outcome = await (await scene.submit(speaker, { id, text: line })).outcome
      if (outcome?.status === 'nobody') this.#note('Nobody answers.')
      if (outcome?.status === 'capped') this.#note(`The cap '${outcome.cap}' is reached.`)
      return
    }
    if (line === '/help') return this.#note(helpText())
    const result = await runCommand(line, {
      scene,
      speaker,
      signal: this.#left.signal,
      watching: true,
    })
    if (!result) return this.#note(`No command '${line.split(/\s/, 1)[0]}'. ${helpText()}`)
    if (result.text !== '') this.#note(result.text)
    if (result.leaves) this.#lines.close()
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

  #done(): void {
    this.#busy -= 1
    if (this.#busy === 0) this.#ask()
  }

  #ask(): void {
    if (!this.#left.signal.aborted) this.#lines.prompt(true)
  }

  #interrupt(): void {
    const now = Date.now()
    const again = now - this.#stoppedAt
    if (again < SAME_PRESS_MS) return
    this.#stoppedAt = now
    if (this.#busy === 0) return this.#lines.close()
    if (again < 3000) return this.#lines.close()
    this.#scene.cancel()
    this.#note('Stopped. Ctrl-C again leaves; the scene is kept.')
  }

  #note(text: string): void {
    this.#terminal.stdout.write(`${pc.dim(printable(text))}\n`)
  }
}

function helpText(): string {
  return sceneCommands.map(({ name, hint }) => `/${name}${hint ? ` ${hint}` : ''}`).join(', ')
}

/** Commands at the start, then ids and names of the cast. */
function complete(scene: OpenScene, line: string): [string[], string] {
  if (/^\/\S*$/.test(line)) {
    const commands = sceneCommands.map(({ name }) => `/${name} `)
    return [commands.filter((command) => command.startsWith(line)), line]
  }
  const word = /\S*$/.exec(line)?.[0] ?? ''
  const names = [...scene.cast.names].flatMap(([id, name]) =>
    line.startsWith('/') ? [id, printable(name)] : [printable(name)],
  )
  const fitting = names.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()))
  return [word === '' ? names : fitting, word]
}
