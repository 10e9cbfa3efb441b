/**
 * One mailbox as this process knows it: its log, folded in order as the server pushes it. What this process wrote itself
 * is folded when it is acknowledged, without waiting for the push.
 */
import { MeshError } from '../error.ts'
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts'
import {
  claimCommand,
  extendCommand,
  lanes,
  letter,
  pruneCommand,
  releaseCommand,
  settleCommand,
} from './command.ts'
import { type Claimed, Fold, type Open, type Terms } from './fold.ts'
import { Follower } from './follower.ts'
import { Letters } from './letters.ts'
import type { Link, PublishRequest } from './link.ts'
import type { StreamName } from './names.ts'
import { readPage } from './reader.ts'
import { decodeEntry, type Entry } from './wire.ts'

/** Commands between checkpoints: this, or up to twice as many, so that processes do not all write one at once. */
const CHECKPOINT_EVERY = 1000
const REMEMBERED_EVERY_MS = 60 * 1000
const REMEMBERED = 20
/** A command whose answer its writer may still wait for is not removed. */
const COMMANDS_KEPT_MS = 10 * 60 * 1000
/** How long a push may take before what is missing is asked for. */
const PUSH_MS = 150

/** What a command came to; undefined where its place was skipped by a checkpoint: the state then tells. */
export interface Verdict {
  readonly claimed?: Claimed | undefined
  readonly open?: Open | undefined
  readonly effective: boolean
}

/** Where the log stood at a time. */
type Old = Checkpoint['older'][number]

type Resolve = (verdict: Verdict | undefined) => void

export interface BoxOptions {
  readonly link: Link
  readonly name: StreamName
  readonly terms: Terms
  readonly createdAt: number
  readonly now: () => number
}

export class Box {
  fold: Fold
  readonly letters = new Letters()
  readonly ready: Promise<void>
  private readonly options: BoxOptions
  private cursor = 0
  private follower: Follower | undefined
  private readonly early = new Map<number, Entry>()
  private readonly verdicts = new Map<string, Set<Resolve>>()
  private readonly watching = new Set<() => void>()
  private failure: { readonly error: unknown } | undefined
  private barrier: { readonly startedAt: number; readonly passed: Promise<void> } | undefined
  /** Claims of this process that are on their way. */
  claiming = 0
  private checkpointPlace = 0
  private checkpointDue = nextAfter(0)
  private older: readonly Old[] = []
  private reloading = false
  private checkpointing = false
  private readonly leave: () => void

  constructor(options: BoxOptions) {
    this.options = options
    this.fold = new Fold(options.terms, options.createdAt)
    this.leave = options.link.onClose(() => this.ring())
    this.ready = this.start()
    this.ready.catch(() => undefined) // each use awaits it
  }

  get place(): number {
    return this.cursor
  }

  /** Resolves at the next change, or when the link closes. */
  async changed(signal: AbortSignal, withinMs: number | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.watching.add(resolve)
    signal.addEventListener('abort', () => resolve())
    const timer =
      withinMs === undefined ? undefined : setTimeout(resolve, Math.min(withinMs, 2 ** 30))
    if (signal.aborted) resolve()
    await promise
    clearTimeout(timer)
    this.watching.delete(resolve)
  }

  /** Everything that was acknowledged before `since` (by default: now), by any process, is folded. */
  async fresh(since = performance.now()): Promise<void> {
    await this.ready
    if (this.barrier === undefined || this.barrier.startedAt < since) {
      this.barrier = { startedAt: performance.now(), passed: this.passBarrier() }
    }
    await this.barrier.passed
  }

  private async passBarrier(): Promise<void> {
    const { link, name } = this.options
    await this.upTo((await link.info(name.stream)).state.last_seq)
  }

  async upTo(sequence: number): Promise<void> {
    const never = new AbortController().signal
    while (this.cursor < sequence) {
      this.assertSound()
      const before = this.cursor
      await this.changed(never, PUSH_MS)
      if (this.cursor === before) await this.catchUp(sequence)
    }
  }

  /**
   * Writes a command and waits until it is folded. `refused`: the subject's newest message is not the expected one, and
   * is not this command.
   */
  async command(
    lane: string,
    data: Uint8Array,
    request: Omit<PublishRequest, 'stream'> & { readonly sent?: () => void },
  ): Promise<Verdict | 'refused' | undefined> {
    const { link, name } = this.options
    const { sent, ...condition } = request
    const subject = `${name.root}.${lane}`
    const { promise, resolve } = Promise.withResolvers<Verdict | undefined>()
    const forget = this.expect(subject, resolve)
    try {
      const publishing = link.publish(subject, data, { stream: name.stream, ...condition })
      sent?.()
      const published = await publishing
      const entry =
        published.status === 'stored'
          ? { subject, sequence: published.sequence, data }
          : await this.own(subject, data)
      if (entry === undefined) return 'refused'
      this.hear(entry)
      await this.upTo(entry.sequence)
      return await promise
    } finally {
      forget()
    }
  }

  /** An acknowledged message of this process, or one that was pushed. */
  hear(entry: Entry): void {
    if (entry.sequence <= this.cursor) return
    this.early.set(entry.sequence, entry)
    this.drain()
  }

  stop(): void {
    this.leave()
    this.follower?.stop()
    this.ring()
  }

  /** Removes nothing that a process may still need: everything before the checkpoint is in it. */
  async checkpoint(): Promise<boolean> {
    const { link, name, now } = this.options
    if (this.cursor < this.checkpointPlace || this.checkpointing) return false
    this.checkpointing = true
    const at = now()
    const through = this.cursor
    const older = olderWith(this.older, { through, at })
    const data = encodeCheckpoint({ through, older, at, dump: this.fold.dump() })
    this.checkpointDue = nextAfter(through) // not again at once, whatever comes of it
    try {
      if (data === undefined) return false
      const subject = `${name.root}.${lanes.checkpoint}`
      const condition = { stream: name.stream, lastOfSubject: this.checkpointPlace }
      const published = await link.publish(subject, data, condition)
      if (published.status === 'refused') return false
      this.hear({ subject, sequence: published.sequence, data })
      await this.removeOld(older, at)
      return true
    } finally {
      this.checkpointing = false
    }
  }

  private async removeOld(older: readonly Old[], at: number): Promise<void> {
    const { link, name } = this.options
    await link.purge(name.stream, { filter: `${name.root}.${lanes.checkpoint}`, keep: 1 })
    const old = older.findLast((each) => each.at <= at - COMMANDS_KEPT_MS)
    if (old === undefined) return
    for (const lane of [lanes.claim, lanes.extend, lanes.release]) {
      await link.purge(name.stream, { filter: `${name.root}.${lane}.>`, through: old.through })
    }
  }

  private expect(subject: string, resolve: Resolve): () => void {
    const known = this.verdicts.get(subject) ?? new Set()
    this.verdicts.set(subject, known.add(resolve))
    return () => {
      known.delete(resolve)
      if (known.size === 0 && this.verdicts.get(subject) === known) this.verdicts.delete(subject)
    }
  }

  private tell(verdict: Verdict | undefined, resolves: Iterable<Resolve> = []): void {
    for (const resolve of resolves) resolve(verdict)
  }

  private async own(subject: string, data: Uint8Array): Promise<Entry | undefined> {
    const entry = await this.options.link.findLast(this.options.name.stream, subject)
    return entry !== undefined && Buffer.compare(entry.data, data) === 0 ? entry : undefined
  }

  private async start(): Promise<void> {
    await this.load()
    this.follow()
    const { link, name } = this.options
    await this.upTo((await link.info(name.stream)).state.last_seq)
  }

  private follow(): void {
    this.follower?.stop()
    this.follower = new Follower(this.options.link, {
      stream: this.options.name.stream,
      from: this.cursor + 1,
      deliver: (pushed) => {
        this.hear(pushed)
        // pushes come in order: what is missing before this one was removed
        if (this.cursor < pushed.sequence) this.catchUp(pushed.sequence).catch(() => undefined)
      },
      failed: (error) => this.fail(error),
    })
  }

  /** Adopts the newest checkpoint where it is ahead. */
  private async load(): Promise<void> {
    const { link, name, terms, createdAt } = this.options
    const entry = await link.findLast(name.stream, `${name.root}.${lanes.checkpoint}`)
    if (entry === undefined) return
    const { dump, older, through } = decodeCheckpoint(name.stream, entry)
    this.checkpointPlace = entry.sequence
    if (through <= this.cursor) return
    this.older = older
    this.checkpointDue = nextAfter(through)
    this.cursor = through
    this.fold = new Fold(terms, createdAt, dump)
    for (const sequence of this.early.keys()) if (sequence <= through) this.early.delete(sequence)
    for (const resolves of this.verdicts.values()) this.tell(undefined, resolves)
  }

  private drain(): void {
    const before = this.cursor
    for (;;) {
      const entry = this.early.get(this.cursor + 1)
      if (entry === undefined) break
      this.early.delete(entry.sequence)
      try {
        this.apply(entry)
      } catch (error) {
        return this.fail(error)
      }
      this.cursor = entry.sequence
    }
    if (this.cursor > before) this.ring()
  }

  /** Asks the leader for what no push has brought. */
  private async catchUp(sequence: number): Promise<void> {
    if (this.reloading) return
    this.reloading = true
    try {
      const { link, name } = this.options
      const page = { from: this.cursor + 1, head: sequence, limit: 500 }
      for (const entry of await readPage(link, name.stream, page)) this.hear(entry)
      if (this.cursor >= sequence || this.early.has(this.cursor + 1)) return
      if ((await link.findAt(name.stream, this.cursor + 1)) !== undefined) return
      const missing = this.cursor + 1
      await this.load()
      if (this.cursor < missing) this.fail(this.gap(missing))
      this.drain()
      this.ring()
    } finally {
      this.reloading = false
    }
  }

  private gap(sequence: number): MeshError {
    const { stream } = this.options.name
    const message = `stream '${stream}' lacks its message ${sequence}, and no checkpoint has it`
    return new MeshError('store-invalid', message, { detail: { stream, sequence } })
  }

  private apply(entry: Entry): void {
    const { name } = this.options
    const lane = entry.subject.slice(name.root.length + 1).split('.', 1)[0]
    const verdict = this.judge(lane ?? '', entry)
    this.tell(verdict, this.verdicts.get(entry.subject))
    if (entry.sequence >= this.checkpointDue) this.checkpointSoon()
  }

  private checkpointSoon(): void {
    const { link } = this.options
    if (link.closed || this.checkpointing) return
    setImmediate(() => void this.checkpoint().catch(() => undefined)) // the next one makes up for it
  }

  private judge(lane: string, entry: Entry): Verdict {
    const { fold, letters } = this
    const { stream } = this.options.name
    switch (lane) {
      case lanes.letter: {
        fold.add(entry.sequence, decodeEntry(letter, stream, entry))
        letters.add(entry)
        return { effective: true }
      }
      case lanes.claim: {
        const claimed = fold.claim(decodeEntry(claimCommand, stream, entry))
        return { effective: claimed !== undefined, claimed }
      }
      case lanes.settle: {
        const settlement = decodeEntry(settleCommand, stream, entry)
        const effective = fold.settle(entry.sequence, settlement)
        if (effective) letters.remove(settlement.of)
        return { effective }
      }
      case lanes.extend: {
        const claimed = fold.extend(decodeEntry(extendCommand, stream, entry))
        return { effective: claimed !== undefined, claimed }
      }
      case lanes.release: {
        const open = fold.release(decodeEntry(releaseCommand, stream, entry))
        return { effective: open !== undefined, open }
      }
      case lanes.prune:
        return { effective: fold.prune(entry.sequence, decodeEntry(pruneCommand, stream, entry)) }
      case lanes.checkpoint: {
        const { older, through } = decodeCheckpoint(stream, entry)
        this.checkpointPlace = entry.sequence
        this.checkpointDue = nextAfter(through)
        this.older = older
        return { effective: true }
      }
      default:
        throw new MeshError(
          'store-invalid',
          `stream '${stream}' has a subject of no kind that this build knows`,
          {
            detail: { stream, sequence: entry.sequence },
          },
        )
    }
  }

  private assertSound(): void {
    if (this.failure !== undefined) throw this.failure.error
  }

  private fail(error: unknown): void {
    this.failure ??= { error }
    this.ring()
  }

  private ring(): void {
    for (const resolve of this.watching) resolve()
    this.watching.clear()
  }
}

function nextAfter(through: number): number {
  return through + CHECKPOINT_EVERY * (1 + Math.random())
}

function olderWith(older: readonly Old[], now: Old): readonly Old[] {
  const last = older.at(-1)
  if (last !== undefined && now.at - last.at < REMEMBERED_EVERY_MS) return older
  return [...older, now].slice(-REMEMBERED)
}
