/** What a seat sees: beats as they settle, words as they come, in a terminal, in plain lines, or as JSON. */
import type { Context } from '@deepseek-ai/cordis'
import type {} from 'dsh-tavern-cast'
import type {
  Audience,
  Beat,
  Cue,
  CueOutcome,
  ParticipantId,
  PlacedBeat,
  RunId,
} from 'dsh-tavern-protocol'
import { assertNever } from 'dsh-fabric-protocol'
import pc from 'picocolors'
import { changesText, hearersOf, jsonLine } from './render.ts'
import { Wrapping } from './wrapping.ts'

export type Style = 'terminal' | 'plain' | 'json'

export interface ViewOptions {
  readonly style: Style
  readonly seat: ParticipantId
  /** The game master sees whispers between others too. */
  readonly all: boolean
  readonly nameOf: (participant: ParticipantId) => string
  readonly write: (text: string) => void
}

const colours = [pc.cyan, pc.yellow, pc.magenta, pc.green, pc.blue, pc.red]

export class StageView {
  readonly #options: ViewOptions
  readonly #wrapping = new Wrapping(() => process.stdout.columns ?? 80)
  readonly #colours = new Map<string, (text: string) => string>()
  /** The cue whose words are on the screen already, and the words. */
  #streaming: { readonly cueId: string; text: string } | undefined

  constructor(options: ViewOptions) {
    this.#options = options
  }

  /** Follows a run from now on. */
  follow(ctx: Context, runId: RunId): void {
    ctx.on('beat/published', (payload) => {
      if (payload.runId === runId && !this.#wasTyped(payload.placed)) this.show(payload.placed)
    })
    ctx.on('cue/settled', ({ cue, outcome }) => {
      if (cue.runId === runId) this.#settled(cue, outcome)
    })
    if (this.#options.style !== 'terminal') return
    ctx.on('performance/restarted', ({ cueId }) => {
      if (this.#streaming?.cueId === cueId) this.#takeBack()
    })
    ctx.on('performance/delta', (piece) => {
      if (piece.runId === runId) this.#stream(piece)
    })
  }

  show(placed: PlacedBeat): void {
    const { style, seat, all } = this.#options
    if (style === 'json') return this.#options.write(`${jsonLine(placed)}\n`)
    const { beat, id } = placed
    if (!all && !beat.heardBy.includes(seat)) return
    if (this.#streaming?.cueId === id) return this.#finish(beat)
    const text = this.#text(beat)
    if (text !== '') this.#write(`${text}\n\n`)
  }

  #text(beat: Beat): string {
    const name = this.#name(beat.author.id, beat.author.name)
    switch (beat.kind) {
      case 'line':
        return `${name}: ${beat.text}${this.#dim(changesText(beat))}`
      case 'whisper':
        return `${name} ${this.#dim(`(whispers to ${this.#hearers(beat)})`)}: ${beat.text}`
      case 'narration':
      case 'entrance':
      case 'exit':
      case 'roll':
        return this.#dim(this.#italic(beat.text))
      case 'world': {
        const changes = changesText(beat)
        return changes === '' ? '' : this.#dim(`${beat.author.name}${changes}`)
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
    this.#write(`${rest}${this.#dim(changesText(beat))}\n\n`)
  }

  #stream(piece: {
    readonly cueId: string
    readonly participant: ParticipantId
    readonly audience: Audience
    readonly text: string
  }): void {
    const { seat, all, nameOf } = this.#options
    const { audience, cueId, participant, text } = piece
    if (!all && audience.kind === 'named' && !audience.participants.includes(seat)) return
    if (this.#streaming?.cueId !== cueId) {
      this.#streaming = { cueId, text: '' }
      const whisper = audience.kind === 'named' ? ` ${this.#dim('(whispers)')}` : ''
      this.#write(`${this.#name(participant, nameOf(participant))}${whisper}: `)
    }
    this.#streaming.text += text
    this.#write(text)
  }

  #settled(cue: Cue, outcome: CueOutcome): void {
    const { style, nameOf } = this.#options
    if (outcome.status !== 'failed' && outcome.status !== 'cancelled') return
    if (this.#streaming?.cueId === cue.id) this.#takeBack()
    this.#streaming = undefined
    if (outcome.status === 'cancelled') return
    const text = `${nameOf(`character:${cue.character}`)} could not answer: ${outcome.code}: ${outcome.message}`
    if (style === 'terminal') this.#write(`${pc.red(text)}\n\n`)
    else process.stderr.write(`${text}\n`)
  }

  /** At a terminal the person's own words stand there already. */
  #wasTyped({ beat }: PlacedBeat): boolean {
    const isSaid = beat.kind === 'line' || beat.kind === 'whisper'
    return this.#options.style === 'terminal' && isSaid && beat.author.id === this.#options.seat
  }

  #write(text: string): void {
    const { style, write } = this.#options
    write(style === 'terminal' ? this.#wrapping.add(text) : text)
  }

  #takeBack(): void {
    this.#streaming = undefined
    this.#write(`${this.#dim('… (not said)')}\n\n`)
  }

  #hearers(beat: Beat): string {
    const { seat, nameOf } = this.#options
    if (beat.audience.kind === 'everyone') return hearersOf(beat)
    const others = beat.audience.participants.filter((id) => id !== beat.author.id)
    return others.map((id) => (id === seat ? 'you' : nameOf(id))).join(', ')
  }

  #name(id: ParticipantId, name: string): string {
    if (this.#options.style !== 'terminal') return name
    const colour = this.#colours.get(id) ?? colours[this.#colours.size % colours.length] ?? pc.bold
    this.#colours.set(id, colour)
    return pc.bold(colour(name))
  }

  #dim(text: string): string {
    return this.#options.style === 'terminal' && text !== '' ? pc.dim(text) : text
  }

  #italic(text: string): string {
    return this.#options.style === 'terminal' ? pc.italic(text) : text
  }
}
