/** The connection: requests with a short timeout, tried again until patience ends, and the calls of JetStream on top. */
import { setTimeout as pause } from 'node:timers/promises'
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import type { z } from 'zod'
import { MeshError } from '../error.ts'
import { KnownStreams } from './known-streams.ts'
import { NobodyListens, Outbox } from './outbox.ts'
import {
  apiError,
  type Entry,
  publishAck,
  purged,
  storedMessage,
  type StreamInfo,
  streamInfo,
  streamList,
  succeeded,
} from './wire.ts'

const JETSTREAM_ATTEMPTS = 3
const PAUSE_MS = { least: 20, most: 400 }

/** Error numbers of JetStream, as its documentation lists them. */
export const codes = {
  noMessage: 10037,
  noStream: 10059,
  streamInUse: 10058,
  wrongLastSequence: 10071,
  wrongLastSequenceConstant: 10164,
  noPeers: 10005,
  replicasUnsupported: 10074,
  notEnabled: 10076,
  notEnabledForAccount: 10039,
  deleteFailed: 10057,
} as const

const decoder = new TextDecoder()

/** Trouble of the server's own that does not pass. */
const lasting: ReadonlySet<number> = new Set([
  codes.replicasUnsupported,
  codes.notEnabled,
  codes.notEnabledForAccount,
  codes.deleteFailed,
])

/** The server's own refusal of a call; trying again would not help. */
export class Refusal extends Error {
  readonly number: number

  constructor(number: number, description: string) {
    super(description)
    this.name = 'Refusal'
    this.number = number
  }
}

export interface LinkOptions {
  readonly patienceMs: number
  /** Without credentials. */
  readonly where: string
}

export interface Condition {
  /** The newest message of the subject is this one; 0: it has none. */
  readonly lastOfSubject?: number
  /** The newest message of the stream is this one. */
  readonly last?: number
}

export type Published =
  | { readonly status: 'stored'; readonly sequence: number }
  /** What refuses may be this message itself, of a try that got no answer; it may not be seen at once. */
  | { readonly status: 'refused' }

export class Link {
  readonly connection: NatsConnection
  private readonly options: LinkOptions
  private readonly outbox: Outbox
  private readonly known = new KnownStreams()
  private readonly admitted = new Set<Promise<unknown>>()
  private readonly reconnected = new Set<() => void>()
  private readonly leaving = new Set<() => void>()
  private connected = true
  private closing: Promise<void> | undefined

  constructor(connection: NatsConnection, options: LinkOptions) {
    this.connection = connection
    this.outbox = new Outbox(connection)
    this.options = options
    void this.follow()
  }

  get closed(): boolean {
    return this.closing !== undefined
  }

  assertOpen(): void {
    if (this.closing !== undefined) throw this.closedError()
  }

  closedError(): MeshError {
    const { where } = this.options
    return new MeshError('closed', `the mesh store at '${where}' is closed`, { detail: { where } })
  }

  /** What was admitted finishes before the link closes. */
  admit<T>(run: () => Promise<T>): Promise<T> {
    if (this.closing !== undefined) return Promise.reject(this.closedError())
    const running = run().catch((error: unknown) => {
      throw this.told(error)
    })
    const settled = running.then(ignore, ignore)
    this.admitted.add(settled)
    void settled.then(() => this.admitted.delete(settled))
    return running
  }

  onReconnect(listener: () => void): () => void {
    this.reconnected.add(listener)
    return () => this.reconnected.delete(listener)
  }

  /** Watches end when it begins to close; admitted writes go on. */
  onClose(listener: () => void): () => void {
    this.leaving.add(listener)
    return () => this.leaving.delete(listener)
  }

  /** Each try carries the same bytes: whoever calls makes sure that two that arrive are harmless. */
  async publish(subject: string, data: Uint8Array, request: PublishRequest): Promise<Published> {
    const condition = headersOf(request)
    const again = this.patience()
    for (;;) {
      try {
        const ack = this.answer(await this.outbox.request(subject, data, condition), publishAck)
        return { status: 'stored', sequence: ack.seq }
      } catch (error) {
        if (error instanceof Refusal && isConflict(error)) return { status: 'refused' }
        if (error instanceof Refusal) throw this.unavailable(error)
        if (error instanceof NobodyListens && (await this.findInfo(request.stream)) === undefined) {
          throw noStream(request.stream)
        }
        await again(error)
        await request.earlier
      }
    }
  }

  /** A call of the JetStream API that is harmless twice. */
  async call<T>(name: string, body: object | undefined, schema: z.ZodType<T>): Promise<T> {
    const subject = `$JS.API.${name}`
    const data = body === undefined ? '' : JSON.stringify(body)
    const again = this.patience()
    for (;;) {
      try {
        const answer = this.answer(await this.outbox.request(subject, data), schema)
        this.known.see(streamOf(name))
        return answer
      } catch (error) {
        if (error instanceof Refusal && !this.isDoubtful(error, name)) throw error
        await again(error)
      }
    }
  }

  /** For an operation that is tried again: pauses that grow, and `store-unavailable` with the reason once patience ends. */
  patience(): (reason: unknown) => Promise<void> {
    const until = performance.now() + this.options.patienceMs
    let attempt = 0
    return async (reason) => {
      await this.again(reason, attempt, until)
      attempt += 1
    }
  }

  /** For a server that has none itself: whether another of its cluster answers. */
  async hasJetStream(): Promise<boolean> {
    for (let attempt = 0; attempt < JETSTREAM_ATTEMPTS; attempt += 1) {
      try {
        await this.outbox.request('$JS.API.INFO', '')
        return true
      } catch {
        await pause(PAUSE_MS.most) // nobody answered; perhaps they elect a leader just now
      }
    }
    return false
  }

  /**
   * The stream, made unless it is there. One that another process makes just now is waited for, and made where that came
   * to nothing.
   */
  async made(stream: string, config: object): Promise<StreamInfo> {
    const again = this.patience()
    for (;;) {
      const making = this.call(`STREAM.CREATE.${stream}`, config, streamInfo)
      await orNothing(codes.streamInUse, making)
      this.known.see(stream)
      const info = await this.findInfo(stream)
      if (info !== undefined) return info
      await again(`stream '${stream}' was made and cannot be seen`)
    }
  }

  /** From the stream's leader. */
  async info(stream: string): Promise<StreamInfo> {
    return this.call(`STREAM.INFO.${stream}`, undefined, streamInfo)
  }

  async findInfo(stream: string): Promise<StreamInfo | undefined> {
    return orNothing(codes.noStream, this.info(stream))
  }

  /** The newest message of the subject; from the stream's leader. */
  findLast(stream: string, subject: string): Promise<Entry | undefined> {
    return this.find(stream, { last_by_subj: subject })
  }

  /** The first message of the subject at or after the sequence. */
  findNext(stream: string, subject: string, sequence: number): Promise<Entry | undefined> {
    return this.find(stream, { next_by_subj: subject, seq: sequence })
  }

  findAt(stream: string, sequence: number): Promise<Entry | undefined> {
    return this.find(stream, { seq: sequence })
  }

  /** Messages of the subject, or of all; up to the sequence. */
  async purge(
    stream: string,
    request: { readonly filter?: string; readonly through?: number; readonly keep?: number },
  ): Promise<void> {
    const { filter, through, keep } = request
    const body = { filter, keep, ...(through === undefined ? {} : { seq: through + 1 }) }
    await this.call(`STREAM.PURGE.${stream}`, body, purged)
  }

  /** Of one that is not there any more the server says no more than that it failed. */
  async remove(stream: string, sequence: number): Promise<void> {
    const body = { seq: sequence, no_erase: true }
    const again = this.patience()
    for (;;) {
      try {
        await this.call(`STREAM.MSG.DELETE.${stream}`, body, succeeded)
        return
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if ((await this.findAt(stream, sequence)) === undefined) return
        await again(error)
      }
    }
  }

  /** All streams with a subject that the filter covers. */
  async streams(filter: string): Promise<readonly StreamInfo[]> {
    const found: StreamInfo[] = []
    for (;;) {
      const body = { subject: filter, offset: found.length }
      const page = await this.call('STREAM.LIST', body, streamList)
      found.push(...(page.streams ?? []))
      if (!page.streams?.length || found.length >= page.total) return found
    }
  }

  close(): Promise<void> {
    this.closing ??= this.finish()
    return this.closing
  }

  /** What a caller of the mesh is told: the server's own refusals are not its words. */
  told(error: unknown): unknown {
    return error instanceof Refusal ? this.unavailable(error) : error
  }

  unavailable(cause: unknown): MeshError {
    const { where } = this.options
    const found = cause instanceof Error ? cause.message : String(cause)
    const message = `the mesh store at '${where}' is not available: ${found}`
    return new MeshError('store-unavailable', message, { detail: { where }, cause })
  }

  private async find(stream: string, body: object): Promise<Entry | undefined> {
    const call = this.call(`STREAM.MSG.GET.${stream}`, body, storedMessage)
    const found = await orNothing(codes.noMessage, call)
    if (found === undefined) return undefined
    const { subject, seq, data } = found.message
    return { subject, sequence: seq, data: Buffer.from(data, 'base64') }
  }

  private answer<T>(data: Uint8Array, schema: z.ZodType<T>): T {
    const reply: unknown = JSON.parse(decoder.decode(data))
    if (reply !== null && typeof reply === 'object' && 'error' in reply) {
      const { code, err_code, description } = apiError.parse(reply.error)
      if (code >= 500 && !lasting.has(err_code)) throw new Error(description)
      throw new Refusal(err_code, description)
    }
    return schema.parse(reply)
  }

  private isDoubtful({ number }: Refusal, call: string): boolean {
    return number === codes.noStream && this.known.doubts(streamOf(call))
  }

  private async again(error: unknown, attempt: number, until: number): Promise<void> {
    if (this.connection.isClosed()) throw this.closedError()
    if (performance.now() >= until) throw this.unavailable(error)
    await pause(Math.min(PAUSE_MS.most, PAUSE_MS.least * 2 ** attempt) * (0.5 + Math.random()))
    while (!this.connected && !this.connection.isClosed() && performance.now() < until) {
      await this.nextConnection(until - performance.now())
    }
  }

  private async nextConnection(withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, withinMs)
    const stop = this.onReconnect(resolve)
    await promise
    clearTimeout(timer)
    stop()
  }

  private async follow(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') this.connected = false
      if (status.type === 'reconnect') {
        this.connected = true
        for (const listener of this.reconnected) listener()
      }
    }
  }

  private async finish(): Promise<void> {
    for (const listener of this.leaving) listener()
    while (this.admitted.size > 0) await Promise.all(this.admitted)
    await this.connection.close()
  }
}

export interface PublishRequest extends Condition {
  readonly stream: string
  /** Waited for before it is made again. */
  readonly earlier?: Promise<unknown>
  readonly more?: Readonly<Record<string, string>>
}

function headersOf(request: PublishRequest): MsgHdrs {
  const built = headers()
  if (request.lastOfSubject !== undefined) {
    built.append('Nats-Expected-Last-Subject-Sequence', String(request.lastOfSubject))
  }
  if (request.last !== undefined) built.append('Nats-Expected-Last-Sequence', String(request.last))
  for (const [name, value] of Object.entries(request.more ?? {})) built.append(name, value)
  return built
}

function isConflict({ number }: Refusal): boolean {
  return number === codes.wrongLastSequence || number === codes.wrongLastSequenceConstant
}

/** Of a call of the API about one stream. */
function streamOf(call: string): string {
  return call.slice(call.lastIndexOf('.') + 1)
}

function noStream(stream: string): Refusal {
  return new Refusal(codes.noStream, `there is no stream '${stream}'`)
}

/** Undefined where the server refused with the number. */
export async function orNothing<T>(number: number, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Refusal && error.number === number) return undefined
    throw error
  }
}

function ignore(): void {}
