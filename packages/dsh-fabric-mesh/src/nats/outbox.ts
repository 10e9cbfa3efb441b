/**
 * Requests and their answers. Those issued in one turn leave together, in their order: the client flushes its socket
 * whenever promises have run, which for requests that follow each other by promises would be one write, and one sync of
 * the disk, each. One subscription takes all answers and one timer ends all waits.
 */
import { createInbox, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'

const ANSWER_MS = 1000
const TICK_MS = 100

/** Nobody listens on the subject. */
export class NobodyListens extends Error {
  constructor(subject: string) {
    super(`nobody answers on '${subject}'`)
    this.name = 'NobodyListens'
  }
}

/** Whether the request arrived is unknown. */
export class NoAnswer extends Error {
  constructor(subject: string) {
    super(`no answer on '${subject}' within ${ANSWER_MS} ms`)
    this.name = 'NoAnswer'
  }
}

interface Waiting {
  readonly subject: string
  readonly until: number
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (error: Error) => void
}

interface Outgoing extends Waiting {
  readonly data: Uint8Array | string
  readonly headers: MsgHdrs | undefined
}

export class Outbox {
  private readonly connection: NatsConnection
  private readonly inbox = createInbox()
  private outgoing: Outgoing[] = []
  /** In the order of their end. */
  private readonly waiting = new Map<string, Waiting>()
  private timer: NodeJS.Timeout | undefined
  private last = 0

  constructor(connection: NatsConnection) {
    this.connection = connection
    connection.subscribe(`${this.inbox}.*`, {
      callback: (error, message) => {
        if (error === null) this.hear(message)
      },
    })
  }

  request(subject: string, data: Uint8Array | string, headers?: MsgHdrs): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      // runs once no promise has anything left to do
      if (this.outgoing.length === 0) process.nextTick(() => this.flush())
      const until = performance.now() + ANSWER_MS
      this.outgoing.push({ subject, data, headers, until, resolve, reject })
    })
  }

  private flush(): void {
    const outgoing = this.outgoing
    this.outgoing = []
    for (const each of outgoing) {
      const token = String((this.last += 1))
      const reply = `${this.inbox}.${token}`
      const { data, headers, reject, subject } = each
      try {
        this.connection.publish(
          subject,
          data,
          headers === undefined ? { reply } : { reply, headers },
        )
        this.waiting.set(token, each)
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    this.timer ??= setInterval(() => this.expire(), TICK_MS)
  }

  private hear({ data, headers, subject }: Msg): void {
    const token = subject.slice(this.inbox.length + 1)
    const waiting = this.waiting.get(token)
    if (waiting === undefined) return // it was given up
    this.waiting.delete(token)
    if (data.length === 0 && headers?.code === 503)
      waiting.reject(new NobodyListens(waiting.subject))
    else waiting.resolve(data)
  }

  private expire(): void {
    const now = performance.now()
    for (const [token, { reject, subject, until }] of this.waiting) {
      if (until > now) break
      this.waiting.delete(token)
      reject(new NoAnswer(subject))
    }
    if (this.waiting.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }
}
