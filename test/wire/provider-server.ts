/** A model provider on this machine: it speaks chat/completions as DeepSeek and as OpenAI do, and keeps what it received. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { type Protocol, type Received, readRequest, type WireRequest } from './chat.ts'
import { type Reply, replyTo, type WireAnswer, type WireUsage } from './replies.ts'

/** What the server answers to a request; when it throws, the connection is dropped and `complaints` says why. */
export type Script = (request: WireRequest) => WireAnswer

/** One request, and what became of it. */
export interface Exchange {
  readonly request: WireRequest
  readonly answer: WireAnswer
  /** As told to the client, if it was told. */
  readonly usage: WireUsage | undefined
}

/** Bytes of one write: small enough to split lines, and characters of more than one byte. */
const SLICE = 53

const routes: Readonly<Record<string, Protocol>> = {
  '/chat/completions': 'deepseek',
  '/v1/chat/completions': 'openai',
}

export class ProviderServer {
  script: Script
  /** In the order in which they came. */
  readonly exchanges: Exchange[] = []
  /** Requests that no provider would take, and faults of the script. */
  readonly complaints: unknown[] = []
  readonly #server: Server
  readonly #waiting = new Set<(exchange: Exchange) => void>()
  readonly #left = new Map<Exchange, Promise<unknown>>()

  private constructor(script: Script) {
    this.script = script
    this.#server = createServer((incoming, response) => {
      this.#answer(incoming, response).catch((error: unknown) => {
        this.complaints.push(error)
        response.destroy()
      })
    })
  }

  /** On a free port, or on the one that a stopped server had. */
  static async start(script: Script, port = 0): Promise<ProviderServer> {
    const server = new ProviderServer(script)
    server.#server.listen(port, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the server is stopped')
    return address.port
  }

  /** Where each protocol begins, as a user writes it into their settings. */
  get baseUrls(): Readonly<Record<Protocol, string>> {
    const root = `http://127.0.0.1:${this.port}`
    return { deepseek: root, openai: `${root}/v1` }
  }

  /** The next exchange to come that matches; it may still be streaming. */
  async next(matches: (exchange: Exchange) => boolean): Promise<Exchange> {
    return await new Promise((resolve) => {
      const look = (exchange: Exchange) => {
        if (!matches(exchange)) return
        this.#waiting.delete(look)
        resolve(exchange)
      }
      this.#waiting.add(look)
    })
  }

  /** Resolves once the connection of this exchange is over, whoever ended it. */
  async over(exchange: Exchange): Promise<void> {
    await this.#left.get(exchange)
  }

  /** Nobody listens on its port afterwards. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(incoming)
    const protocol = routes[received.path]
    if (incoming.method !== 'POST' || protocol === undefined) {
      throw new Error(`nobody serves ${incoming.method} ${received.path}`)
    }
    const request = readRequest(protocol, received)
    const answer = this.script(request)
    const reply = replyTo(request, answer)
    const exchange = { request, answer, usage: reply.usage }
    this.#left.set(exchange, once(response, 'close'))
    this.exchanges.push(exchange)
    const sent = send(response, reply)
    for (const look of this.#waiting) look(exchange)
    await sent
  }
}

async function receive(incoming: IncomingMessage): Promise<Received> {
  const raw = await text(incoming)
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return {
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers),
    raw,
  }
}

async function send(response: ServerResponse, { status, headers, bytes, close }: Reply) {
  response.writeHead(status, headers)
  for (let at = 0; at < bytes.length && !response.destroyed; at += SLICE) {
    response.write(bytes.subarray(at, at + SLICE))
    await setImmediate()
  }
  if (close === 'end') response.end()
  if (close === 'reset') response.destroy()
}
