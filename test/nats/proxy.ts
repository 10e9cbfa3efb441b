/** A TCP proxy before a server: it can hold everything back for a while, cut connections, and swallow an answer. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  readonly url: string
  /** Bytes of both directions wait, on connections that stay open, as when a network is down. */
  freeze(): void
  thaw(): void
  /** The next answer that the predicate wants never arrives; resolves once it was swallowed. */
  swallow(wants: (body: string) => boolean): Promise<void>
  close(): Promise<void>
}

export async function startProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let frozen = false
  let thawed = new Set<() => void>()
  let swallowing:
    | { readonly wants: (body: string) => boolean; readonly done: () => void }
    | undefined

  const wants = (body: string): boolean => {
    if (swallowing?.wants(body) !== true) return false
    swallowing.done()
    swallowing = undefined
    return true
  }
  const forward = (from: Socket, to: Socket, pass: (chunk: Buffer) => Buffer): void => {
    let held: Buffer[] = []
    const flush = (): void => {
      for (const chunk of held) to.write(chunk)
      held = []
    }
    from.on('data', (data) => {
      const chunk = pass(Buffer.from(data))
      if (frozen) {
        held.push(chunk)
        thawed.add(flush)
      } else {
        to.write(chunk)
      }
    })
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
  }

  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    sockets.add(client).add(upstream)
    forward(client, upstream, (chunk) => chunk)
    forward(upstream, client, withoutMessages(wants))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0

  return {
    url: `nats://127.0.0.1:${own}`,
    freeze: () => (frozen = true),
    thaw: () => {
      frozen = false
      for (const flush of thawed) flush()
      thawed = new Set()
    },
    swallow: (predicate) =>
      new Promise((done) => {
        swallowing = { wants: predicate, done }
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Passes the server's protocol on, but for whole messages whose body is unwanted. */
function withoutMessages(isUnwanted: (body: string) => boolean): (chunk: Buffer) => Buffer {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const passed: Buffer[] = []
    for (;;) {
      const lineEnd = rest.indexOf('\r\n')
      if (lineEnd === -1) break
      const line = rest.subarray(0, lineEnd).toString('latin1')
      const length = /^H?MSG /.test(line) ? Number(line.split(' ').at(-1)) + 2 : 0
      const end = lineEnd + 2 + length
      if (rest.length < end) break
      const whole = rest.subarray(0, end)
      if (length === 0 || !isUnwanted(whole.subarray(lineEnd + 2).toString('utf8')))
        passed.push(whole)
      rest = rest.subarray(end)
    }
    return Buffer.concat(passed)
  }
}
