/**
 * One mailbox as this process knows it: its log, folded in order. What this process wrote itself is folded when it is
 * acknowledged. What others wrote is pushed by the server while somebody waits for it, or others write as often; else it
 * is read when it is needed.
 */
import { assertNever } from 'dsh-fabric-protocol'
import { MeshError } from '../error.ts'
import { Checkpoints, type WriteOutcome } from './checkpoints.ts'
import { type Command, decodeCommand, type Written } from './command.ts'
import { Early, type Heard } from './early.ts'
import { Fold, type Terms } from './fold.ts'
import { Follower } from './follower.ts'
import { Letters } from './letters.ts'
import type { Link, PublishRequest } from './link.ts'
import type { StreamName } from './names.ts'
import { readPage } from './reader.ts'
import { type Verdict, Verdicts } from './verdicts.ts'
import type { Entry } from './wire.ts'

/** Pushes that nobody needed for so long are given up. */
const IDLE_MS = 15_000

/** A push that was lost with its server, and no heartbeat told of it, is found after so long. */
const AUDIT_MS = 8000
/** How long a push may take before what is missing is asked for. */
const PUSH_MS = 150

const never = new AbortController().signal

/** Why what comes is not heard any more. */
interface Trouble {
  readonly error: unknown
}

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
  private readonly options: BoxOptions
  private cursor = 0
  private follower: Follower | undefined
  /** The newest sequence that was pushed. */
  private pushed = 0
  private chasing = false
  private readonly early = new Early()
  private readonly verdicts = new Verdicts()
  private readonly checkpoints: Checkpoints
  private readonly watching = new Set<(trouble?: Trouble) => void>()
  /** The log holds what this build cannot fold. */
  private failure: Trouble | undefined
  private starting: Promise<void> | undefined
  private barrier: { readonly startedAt: number; readonly passed: Promise<void> } | undefined
  /** The prune whose records this process has seen removed. */
  cleanedThrough = 0
  /** Claims of this process that are on their way. */
  claiming = 0
  private catching: Promise<void> | undefined
  private waiters = 0
  private neededAt = 0
  private idleTimer: NodeJS.Timeout | undefined
  private auditTimer: NodeJS.Timeout | undefined
  private readonly leave: () => void

  constructor(options: BoxOptions) {
    this.options = options
    this.fold = new Fold(options.terms, options.createdAt)
    this.checkpoints = new Checkpoints(options.link, options.name, options.now)
    this.leave = options.link.onClose(() => this.ring())
    this.ready.catch(() => undefined) // each use awaits it
  }

  /** What was there when it was first asked for is folded; one that failed begins again. */
  get ready(): Promise<void> {
    this.starting ??= this.start().catch((error: unknown) => {
      this.starting = undefined
      throw error
    })
    return this.starting
  }

  get place(): number {
    return this.cursor
  }

  /** Resolves at the next change by anybody, or when the link closes; fails when changes cannot be heard. */
  async changed(signal: AbortSignal, withinMs: number | undefined): Promise<void> {
    this.assertSound()
    this.waiters += 1
    this.needPushes()
    const trouble = await this.progress(signal, withinMs)
    this.waiters -= 1
    this.neededAt = performance.now()
    if (trouble !== undefined) throw this.options.link.told(trouble.error)
    this.assertSound()
  }

  private async progress(
    signal: AbortSignal,
    withinMs: number | undefined,
  ): Promise<Trouble | undefined> {
    const { promise, resolve } = Promise.withResolvers<Trouble | undefined>()
    this.watching.add(resolve)
    const abort = (): void => resolve(undefined)
    signal.addEventListener('abort', abort)
    const timer =
      withinMs === undefined ? undefined : setTimeout(abort, Math.min(withinMs, 2 ** 30))
    if (signal.aborted) abort()
    const trouble = await promise
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    this.watching.delete(resolve)
    return trouble
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
    while (this.cursor < sequence) {
      this.assertSound()
      const before = this.cursor
      if (this.follower !== undefined) await this.progress(never, PUSH_MS)
      if (this.cursor === before) await this.catchUp(sequence)
      if (this.cursor === before) await this.progress(never, PUSH_MS) // the leader is behind, too
    }
  }

  /**
   * Writes a command and waits until it is folded. `refused`: the subject's newest message is not the expected one, and
   * is not this command.
   */
  async command(
    lane: string,
    { command, data }: Written,
    request: Omit<PublishRequest, 'stream'> & { readonly sent?: () => void },
  ): Promise<Verdict | 'refused' | undefined> {
    const { link, name } = this.options
    const { sent, ...condition } = request
    const subject = `${name.root}.${lane}`
    const { promise, resolve } = Promise.withResolvers<Verdict | undefined>()
    const forget = this.verdicts.expect(subject, resolve)
    try {
      const publishing = link.publish(subject, data, { stream: name.stream, ...condition })
      sent?.()
      const published = await publishing
      const sequence =
        published.status === 'stored'
          ? published.sequence
          : await this.stored(subject, data, condition.lastOfSubject ?? 0)
      if (sequence === undefined) return 'refused'
      this.hear({ subject, sequence, data }, command)
      if (this.cursor < sequence) this.needPushes() // others write, too
      await this.upTo(sequence)
      return await promise
    } finally {
      forget()
    }
  }

  /** An acknowledged message of this process, or one that was pushed. */
  hear(entry: Entry, command?: Command): void {
    if (entry.sequence <= this.cursor || this.failure !== undefined) return
    this.early.keep({ entry, command }, this.cursor + 1)
    if (entry.sequence === this.cursor + 1) this.drain()
  }

  stop(): void {
    this.leave()
    this.dropFollower()
    this.ring()
  }

  /**
   * Whether a checkpoint has everything up to the sequence, which is folded here: a process that missed what is removed
   * then goes on from it. False while so much is open that none can be written.
   */
  async isCovered(sequence: number): Promise<boolean> {
    const again = this.options.link.patience()
    while (this.checkpoints.through < sequence) {
      const outcome = await this.checkpoint()
      if (outcome === 'written') break
      if (outcome === 'too-large') return false
      await this.fresh()
      if (this.checkpoints.through < sequence) await again('a checkpoint cannot be written')
    }
    return true
  }

  private checkpoint(): Promise<WriteOutcome> {
    const heard = (entry: Entry): void => this.hear(entry)
    return this.checkpoints.write(this.cursor, () => this.fold.dump(), heard)
  }

  /** Where a refused message is after all: an earlier try of its own got there. Undefined: another one is there. */
  private async stored(
    subject: string,
    data: Uint8Array,
    last: number,
  ): Promise<number | undefined> {
    const { link, name } = this.options
    const again = link.patience()
    for (;;) {
      const newest = await link.findLast(name.stream, subject)
      if (newest !== undefined && newest.sequence > last) {
        return Buffer.compare(newest.data, data) === 0 ? newest.sequence : undefined
      }
      // what refused it cannot be seen yet, or never will be
      const condition = { stream: name.stream, lastOfSubject: last }
      const repeated = await link.publish(subject, data, condition)
      if (repeated.status === 'stored') return repeated.sequence
      await again('what refused a command cannot be seen')
    }
  }

  private async start(): Promise<void> {
    await this.load()
    const { link, name } = this.options
    await this.upTo((await link.info(name.stream)).state.last_seq)
  }

  private needPushes(): void {
    this.neededAt = performance.now()
    const { link, name } = this.options
    if (this.follower !== undefined || this.failure !== undefined || link.closed) return
    this.follower = new Follower(link, {
      stream: name.stream,
      from: this.cursor + 1,
      deliver: (pushed) => {
        this.pushed = pushed.sequence
        this.hear(pushed)
        if (this.cursor < pushed.sequence) void this.chase()
      },
      failed: (error) => this.giveUp(error),
    })
    this.idleTimer = setTimeout(() => this.stopWhenIdle(), IDLE_MS)
    this.auditTimer = setInterval(() => void this.audit(), AUDIT_MS)
  }

  /** Asks the leader; what it cannot tell now is asked again. */
  private async audit(): Promise<void> {
    const before = this.cursor
    const { link, name } = this.options
    try {
      const { state } = await link.info(name.stream)
      const isBehind = state.last_seq > before && this.cursor === before
      if (isBehind && this.follower !== undefined) await this.catchUp(state.last_seq)
    } catch {
      // the follower tells of what is wrong for good
    }
  }

  private stopWhenIdle(): void {
    const idleMs = performance.now() - this.neededAt
    if (this.waiters > 0 || idleMs < IDLE_MS) {
      this.idleTimer = setTimeout(() => this.stopWhenIdle(), IDLE_MS)
      return
    }
    this.dropFollower()
  }

  private dropFollower(): void {
    clearTimeout(this.idleTimer)
    clearInterval(this.auditTimer)
    this.follower?.stop()
    this.follower = undefined
  }

  /** Pushes come in order: what is missing before the newest one was removed, or not kept. */
  private async chase(): Promise<void> {
    if (this.chasing) return
    this.chasing = true
    try {
      while (this.cursor < this.pushed && this.follower !== undefined) {
        const before = this.cursor
        await this.catchUp(this.pushed)
        if (this.cursor === before) await this.progress(never, PUSH_MS) // the leader is behind
        this.assertSound()
      }
    } catch (error) {
      this.giveUp(error)
    } finally {
      this.chasing = false
    }
  }

  /** Adopts the newest checkpoint where it is ahead. */
  private async load(): Promise<void> {
    const { terms, createdAt } = this.options
    const checkpoint = await this.checkpoints.find()
    if (checkpoint === undefined || checkpoint.through <= this.cursor) return
    const { dump, through } = checkpoint
    this.cursor = through
    this.fold = new Fold(terms, createdAt, dump)
    this.early.dropThrough(through)
    this.verdicts.skipped()
  }

  private drain(): void {
    let heard = this.early.take(this.cursor + 1)
    while (heard !== undefined && this.step(heard)) heard = this.early.take(this.cursor + 1)
    this.ring()
  }

  /** Folds the entry after the last; false when this build cannot. */
  private step(heard: Heard): boolean {
    try {
      this.apply(heard)
    } catch (error) {
      this.fail(error)
      return false
    }
    this.cursor = heard.entry.sequence
    return true
  }

  /** Reads what no push has brought. */
  private catchUp(sequence: number): Promise<void> {
    this.catching ??= this.readUpTo(sequence).finally(() => (this.catching = undefined))
    return this.catching
  }

  private async readUpTo(sequence: number): Promise<void> {
    const { link, name } = this.options
    const page = { from: this.cursor + 1, head: sequence, limit: 500 }
    for (const entry of await readPage(link, name.stream, page)) this.hear(entry)
    const missing = this.cursor + 1
    if (this.cursor >= sequence || this.early.has(missing)) return
    const { last_seq: head } = (await link.info(name.stream)).state
    if (head < sequence || this.cursor >= missing) return // a new leader that does not have it yet
    if ((await link.findAt(name.stream, missing)) !== undefined) return
    await this.load()
    if (this.cursor < missing) throw this.gap(missing)
    this.drain()
  }

  private gap(sequence: number): MeshError {
    const { stream } = this.options.name
    const message = `stream '${stream}' lacks its message ${sequence}, and no checkpoint has it`
    return new MeshError('store-invalid', message, { detail: { stream, sequence } })
  }

  private apply({ command, entry }: Heard): void {
    const { root, stream } = this.options.name
    const verdict = this.judge(entry, command ?? decodeCommand(stream, root, entry))
    this.verdicts.tell(entry.subject, verdict)
    if (this.checkpoints.isDue(entry.sequence)) this.checkpointSoon()
  }

  private checkpointSoon(): void {
    setImmediate(() => void this.checkpoint().catch(() => undefined)) // the next one makes up for it
  }

  private judge(entry: Entry, command: Command): Verdict {
    const { fold, letters } = this
    switch (command.kind) {
      case 'letter': {
        fold.add(entry.sequence, command.value)
        letters.add(entry, command.value)
        return { effective: true }
      }
      case 'claim': {
        const claimed = fold.claim(command.value)
        return { effective: claimed !== undefined, claimed }
      }
      case 'settle': {
        const effective = fold.settle(entry.sequence, command.value)
        if (effective) letters.remove(command.value.of)
        return { effective }
      }
      case 'extend': {
        const claimed = fold.extend(command.value)
        return { effective: claimed !== undefined, claimed }
      }
      case 'release': {
        const open = fold.release(command.value)
        return { effective: open !== undefined, open }
      }
      case 'prune':
        return { effective: fold.prune(entry.sequence, command.value) }
      case 'checkpoint':
        this.checkpoints.see(entry)
        return { effective: true }
      default:
        return assertNever(command)
    }
  }

  private assertSound(): void {
    if (this.failure !== undefined) throw this.failure.error
  }

  private fail(error: unknown): void {
    this.failure ??= { error }
    this.early.clear()
    this.giveUp(error)
  }

  /** For now: whoever waits is told, and the next one who needs pushes asks for them anew. */
  private giveUp(error: unknown): void {
    this.dropFollower()
    this.ring({ error })
  }

  private ring(trouble?: Trouble): void {
    for (const resolve of this.watching) resolve(trouble)
    this.watching.clear()
  }
}
