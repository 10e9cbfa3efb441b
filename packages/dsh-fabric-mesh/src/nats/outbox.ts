/**
 * Requests issued in one turn leave together, in their order: the client flushes its socket whenever promises have run,
 * which for requests that follow each other by promises would be one write, and one sync of the disk, each.
 */
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node'

interface Outgoing {
  readonly subject: string
  readonly data: Uint8Array | string
  readonly options: { readonly timeout: number; readonly headers?: MsgHdrs }
  readonly resolve: (reply: Msg | Promise<Msg>) => void
}

export class Outbox {
  private readonly connection: NatsConnection
  private outgoing: Outgoing[] = []

  constructor(connection: NatsConnection) {
    this.connection = connection
  }

  request(subject: string, data: Uint8Array | string, options: Outgoing['options']): Promise<Msg> {
    return new Promise((resolve) => {
      // runs once no promise has anything left to do
      if (this.outgoing.length === 0) process.nextTick(() => this.flush())
      this.outgoing.push({ subject, data, options, resolve })
    })
  }

  private flush(): void {
    const outgoing = this.outgoing
    this.outgoing = []
    for (const { data, options, resolve, subject } of outgoing) {
      resolve(this.connection.request(subject, data, { ...options }))
    }
  }
}
