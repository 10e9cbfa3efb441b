/** What a seat sees: beats as they settle, words as they come, in a terminal, in plain lines, or as JSON. */
import type { Context } from '@deepseek-ai/cordis'
import type { Run } from 'dsh-tavern-cast'
import type {
  Audience,
  Beat,
  Cue,
  CueOutcome,
  Language,
  ParticipantId,
  PlacedBeat,
} from 'dsh-tavern-protocol'
import { assertNever } from 'dsh-fabric-protocol'
import pc from 'picocolors'
import { printable } from './printable.ts'
import { changesText, hearersOf, jsonLine, perceived } from './render.ts'
import { seatWords } from './seat-words.ts'
import { Wrapping } from './wrapping.ts'

export type Style = 'terminal' | 'plain' | 'json'

export interface ViewOptions {
  readonly style: Style
  readonly seat: ParticipantId
  readonly language: Language
  /** The game master sees whispers between others too, and what changes in secret. */
  readonly all: boolean
  readonly nameOf: (participant: ParticipantId) => string
  /** Of a beat of this seat: it was typed here, so it stands on the screen. */
  readonly isTyped?: (beatId: string) => boolean
  readonly write: (text: string) => void
}

/** Beats read at once. */
const PAGE = 500

const colours = [pc.cyan, pc.yellow, pc.magenta, pc.green, pc.blue, pc.red]

export class StageView {
  readonly #options: ViewOptions
  /** A terminal that does not know its width says 0. */
  readonly #wrapping = new Wrapping(() => process.stdout.columns || 80)
  readonly #colours = new Map<string, (text: string) => string>()
  #shown = 0
  /** The person types from now on. */
  #isSeated = false
  /** The cue whose words are on the screen already, and the words. */
  #streaming: { readonly cueId: string; text: string } | undefined
  /** Cues being performed. */
  readonly #performing = new Set<string>()
  /** Cues whose words are no longer shown as they come. */
  readonly #stopped = new Set<string>()

  constructor(options: ViewOptions) {
    this.#options = options
  }

  /** Shows every beat after that sequence, once and in order: those that are stored, then each as it settles. */
  async follow(ctx: Context, run: Pick<Run, 'id' | 'read'>, after: number): Promise<void> {
    this.#shown = after
    ctx.on('beat/published', ({ runId, placed }) => {
      if (runId !== run.id) return
      if (placed.sequence === this.#shown + 1) this.#take(placed)
      // a failing store is told by the last catching up
      else this.catchUp(run).catch(() => {})
    })
    ctx.on('cue/settled', ({ cue, outcome }) => {
      if (cue.runId === run.id) this.#settled(cue, outcome)
    })
    ctx.on('cue/lost', ({ cue }) => {
      this.#performing.delete(cue.id)
      if (this.#streaming?.cueId === cue.id) this.#takeBack()
    })
    ctx.on('cue/failed', ({ runId, failure }) => {
      if (runId === run.id) this.#failed(failure)
    })
    if (this.#options.style === 'terminal') this.#followWords(ctx, run.id)
    await this.catchUp(run)
    this.#isSeated = true
  }

  /** Shows what is stored and was not shown yet. */
  async catchUp(run: Pick<Run, 'read'>): Promise<void> {
    for (;;) {
      const page = await run.read(this.#shown, PAGE)
      for (const placed of page) this.#take(placed)
      if (page.length < PAGE) return
    }
  }

  /** What the tavern itself says: at a terminal among the beats, else beside them. */
  note(text: string): void {
    if (this.#options.style !== 'terminal') {
      process.stderr.write(`${printable(text)}\n`)
      return
    }
    const before = this.#streaming ? '\n' : ''
    this.#write(`${before}${pc.dim(printable(text))}\n`)
  }

  /** The person stopped the answers: what is on the screen of one is closed, and no more of them comes. */
  cutOff(): void {
    for (const cueId of this.#performing) this.#stopped.add(cueId)
    if (!this.#streaming) return
    this.#stopped.add(this.#streaming.cueId)
    this.#takeBack()
  }

  #take(placed: PlacedBeat): void {
    if (placed.sequence <= this.#shown) return
    this.#shown = placed.sequence
    if (!this.#wasTyped(placed)) this.show(placed)
  }

  #followWords(ctx: Context, followed: string): void {
    ctx.on('cue/claimed', ({ cue }) => {
      if (cue.runId === followed) this.#performing.add(cue.id)
    })
    ctx.on('performance/restarted', ({ cueId }) => {
      if (this.#streaming?.cueId === cueId) this.#takeBack()
    })
    ctx.on('performance/delta', (piece) => {
      if (piece.runId === followed) this.#stream(piece)
    })
  }

  show(placed: PlacedBeat): void {
    const { style, seat, all } = this.#options
    const known = all ? placed : perceived(placed, seat)
    if (known === undefined) return
    if (style === 'json') return this.#options.write(`${jsonLine(known)}\n`)
    const { beat, id } = known
    if (this.#streaming?.cueId === id) return this.#finish(beat)
    const text = this.#text(beat)
    if (text !== '') this.#write(`${text}\n\n`)
  }

  #text(beat: Beat): string {
    const name = this.#name(beat.author.id, beat.author.name)
    const text = printable(beat.text)
    switch (beat.kind) {
      case 'line':
        return `${name}: ${text}${this.#changes(beat)}`
      case 'whisper':
        return `${name} ${this.#dim(this.#words.whispersTo(this.#hearers(beat)))}: ${text}`
      case 'narration':
        return `${this.#dim(this.#italic(text))}${this.#changes(beat)}`
      case 'entrance':
      case 'exit':
      case 'roll':
        return this.#dim(this.#italic(text))
      case 'notice':
        return this.#warning(text)
      case 'world': {
        const changes = printable(changesText(beat))
        return changes === '' ? '' : this.#dim(`${printable(beat.author.name)}${changes}`)
      }
      default:
        return assertNever(beat)
    }
  }

  /** The rest of a text that is on the screen in part. */
  #finish(beat: Beat): void {
    const shown = this.#streaming?.text ?? ''
    this.#streaming = undefined
    const rest = beat.text.startsWith(shown) ? beat.text.slice(shown.length) : `\n${beat.text}`
    this.#write(`${printable(rest)}${this.#changes(beat)}\n\n`)
  }

  #stream(piece: {
    readonly cueId: string
    readonly participant: ParticipantId
    readonly audience: Audience
    readonly text: string
  }): void {
    const { seat, all, nameOf } = this.#options
    const { audience, cueId, participant, text } = piece
    if (this.#stopped.has(cueId)) return
    if (!all && audience.kind === 'named' && !audience.participants.includes(seat)) return
    if (this.#streaming?.cueId !== cueId) {
      this.#streaming = { cueId, text: '' }
      const whisper = audience.kind === 'named' ? ` ${this.#dim(this.#words.whispers)}` : ''
      this.#write(`${this.#name(participant, nameOf(participant))}${whisper}: `)
    }
    this.#streaming.text += text
    this.#write(printable(text))
  }

  #settled(cue: Cue, outcome: CueOutcome): void {
    this.#performing.delete(cue.id)
    this.#stopped.delete(cue.id)
    if (outcome.status !== 'failed' && outcome.status !== 'cancelled') return
    if (this.#streaming?.cueId === cue.id) this.#takeBack()
    this.#streaming = undefined
    if (outcome.status === 'failed') this.#failed({ ...outcome, character: cue.character })
  }

  #failed({
    character,
    code,
    message,
  }: {
    readonly character: string
    readonly code: string
    readonly message: string
  }): void {
    const { style, nameOf } = this.#options
    const name = nameOf(`character:${character}`)
    const problem = `${code}: ${message}`
    const text = printable(this.#words.couldNotAnswer(name, problem))
    if (style === 'terminal') this.#write(`${pc.red(text)}\n\n`)
    else process.stderr.write(`${text}\n`)
  }

  /** At a terminal the person's own words stand there already. */
  #wasTyped({ id, beat }: PlacedBeat): boolean {
    const isSaid = beat.kind === 'line' || beat.kind === 'whisper'
    const { style, seat, isTyped } = this.#options
    if (!this.#isSeated || style !== 'terminal' || !isSaid || beat.author.id !== seat) return false
    return isTyped?.(id) ?? true
  }

  #write(text: string): void {
    const { style, write } = this.#options
    write(style === 'terminal' ? this.#wrapping.add(text) : text)
  }

  #takeBack(): void {
    this.#streaming = undefined
    this.#write(`${this.#dim(this.#words.notSaid)}\n\n`)
  }

  get #words() {
    return seatWords[this.#options.language]
  }

  #hearers(beat: Beat): string {
    const { seat, nameOf } = this.#options
    const { you } = this.#words
    return printable(hearersOf(beat, (id) => (id === seat ? you : nameOf(id))))
  }

  #name(id: ParticipantId, name: string): string {
    const shown = printable(name)
    if (this.#options.style !== 'terminal') return shown
    const colour = this.#colours.get(id) ?? colours[this.#colours.size % colours.length] ?? pc.bold
    this.#colours.set(id, colour)
    return pc.bold(colour(shown))
  }

  #changes(beat: Beat): string {
    return this.#dim(printable(changesText(beat)))
  }

  #dim(text: string): string {
    return this.#options.style === 'terminal' && text !== '' ? pc.dim(text) : text
  }

  #warning(text: string): string {
    return this.#options.style === 'terminal' ? pc.red(text) : text
  }

  #italic(text: string): string {
    return this.#options.style === 'terminal' ? pc.italic(text) : text
  }
}
