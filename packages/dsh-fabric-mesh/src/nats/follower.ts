/**
 * Everything a stream holds from a sequence on, and what comes, once and in order, pushed by the server. Made again from
 * where it stands when its heartbeats stop, when one was lost, and when the connection comes back.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Msg, Subscription } from '@nats-io/transport-node'
import { createInbox } from '@nats-io/transport-node'
import { type Link, Refusal } from './link.ts'
import { consumerCreated } from './wire.ts'

const HEARTBEAT_MS = 2000
const MISSED_MS = 2.5 * HEARTBEAT_MS
const ABANDONED_MS = 30_000
const RETRY_MS = 250
/** With so many entries waiting, the server is not told to go on. */
const MOST_WAITING = 2000

export interface Pushed {
  readonly subject: string
  readonly sequence: number
  readonly data: Uint8Array
  readonly header: (name: string) => string
}

export interface Followed {
  readonly stream: string
  /** All of the stream when absent. */
  readonly filter?: string
  /** The first sequence wanted. */
  readonly from: number
  /** Of what is stored, only the newest of each subject. */
  readonly newestOnly?: boolean
  readonly headersOnly?: boolean
  readonly deliver: (pushed: Pushed) => void
  /** The stream is not there, or the server refuses for good. */
  readonly failed: (error: unknown) => void
  /** How many delivered entries wait for their reader; absent: none ever. */
  readonly waiting?: () => number
}

export class Follower {
  private readonly link: Link
  private readonly followed: Followed
  private readonly stopListening: () => void
  private next: number
  private consumed = 0
  private subscription: Subscription | undefined
  private held: Msg | undefined
  private heardAt = 0
  private stopped = false
  private readonly monitor: NodeJS.Timeout
  private starting = false

  constructor(link: Link, followed: Followed) {
    this.link = link
    this.followed = followed
    this.next = followed.from
    this.stopListening = link.onReconnect(() => this.restart())
    this.monitor = setInterval(() => this.watchHeartbeat(), HEARTBEAT_MS)
    this.restart()
  }

  /** Call when fewer entries wait. */
  drained(): void {
    if (this.held !== undefined && !this.isFull()) {
      this.held.respond()
      this.held = undefined
    }
  }

  stop(): void {
    this.stopped = true
    clearInterval(this.monitor)
    this.stopListening()
    this.leave()
  }

  private leave(): void {
    this.held = undefined
    const subscription = this.subscription
    this.subscription = undefined
    if (subscription !== undefined && !subscription.isClosed()) subscription.unsubscribe()
  }

  private watchHeartbeat(): void {
    if (performance.now() - this.heardAt > MISSED_MS) this.restart()
  }

  private restart(): void {
    if (this.stopped || this.starting) return
    this.starting = true
    void this.start()
  }

  private async start(): Promise<void> {
    for (;;) {
      try {
        await this.subscribe()
        this.starting = false
        return
      } catch (error) {
        this.leave()
        if (this.stopped) return
        if (this.link.connection.isClosed()) return this.giveUp(this.link.closedError())
        if (error instanceof Refusal) return this.giveUp(error)
      }
      await pause(RETRY_MS)
      if (this.stopped) return
    }
  }

  private giveUp(error: unknown): void {
    this.stop()
    this.followed.failed(error)
  }

  private async subscribe(): Promise<void> {
    this.leave()
    const { connection } = this.link
    const inbox = createInbox()
    this.consumed = 0
    this.heardAt = performance.now()
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (error === null && this.subscription === subscription) this.hear(message)
      },
    })
    this.subscription = subscription
    await this.link.call(
      `CONSUMER.CREATE.${this.followed.stream}`,
      { stream_name: this.followed.stream, config: this.config(inbox) },
      consumerCreated,
    )
  }

  private config(inbox: string): object {
    const { filter, from, headersOnly, newestOnly } = this.followed
    const afresh = newestOnly === true && this.next === from
    return {
      deliver_subject: inbox,
      ack_policy: 'none',
      max_deliver: 1,
      ...(afresh
        ? { deliver_policy: 'last_per_subject', filter_subject: filter ?? '>' }
        : {
            deliver_policy: 'by_start_sequence',
            opt_start_seq: this.next,
            filter_subject: filter,
          }),
      headers_only: headersOnly,
      flow_control: true,
      idle_heartbeat: HEARTBEAT_MS * 1e6,
      inactive_threshold: ABANDONED_MS * 1e6,
      mem_storage: true,
      num_replicas: 1,
    }
  }

  private hear(message: Msg): void {
    this.heardAt = performance.now()
    if (message.headers?.code === 100) return this.hearControl(message)
    const place = placeOf(message.reply ?? '')
    if (place.consumed !== this.consumed + 1) return this.restart()
    this.consumed = place.consumed
    this.next = place.sequence + 1
    const { subject, data, headers } = message
    const header = (name: string): string => headers?.get(name) ?? ''
    this.followed.deliver({ subject, sequence: place.sequence, data, header })
  }

  private hearControl(message: Msg): void {
    if (message.reply !== undefined && message.reply !== '') {
      if (this.isFull()) this.held = message
      else message.respond()
      return
    }
    const last = message.headers?.get('Nats-Last-Consumer') ?? ''
    if (last !== '' && Number(last) !== this.consumed) return this.restart()
    const stalled = message.headers?.get('Nats-Consumer-Stalled') ?? ''
    if (stalled !== '' && !this.isFull()) this.link.connection.publish(stalled)
  }

  private isFull(): boolean {
    return (this.followed.waiting?.() ?? 0) > MOST_WAITING
  }
}

/** `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>`, or with domain and account. */
function placeOf(reply: string): { readonly sequence: number; readonly consumed: number } {
  const tokens = reply.split('.')
  const first = tokens.length > 9 ? 7 : 5
  return { sequence: Number(tokens[first]), consumed: Number(tokens[first + 1]) }
}
