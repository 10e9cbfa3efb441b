/** The program's calls, at the host: all at once, each answered when it settles, several answers in one message. */
import { createEncoder } from '../crossing/encoder.ts'
import type { JsonValue } from '../json.ts'
import type { CodeMember, CodeNamespace } from '../request.ts'
import { hostRealm } from './host-realm.ts'
import type { CallResult, GuestCall } from './messages.ts'

/** For calls still open when their run is over. */
const GRACE_MS = 250
const MOST_TEXT = 268_435_456

const encode = createEncoder(hostRealm)

interface Place {
  readonly name: string
  readonly member: CodeMember
}

export class HostCalls {
  readonly #places: readonly (readonly Place[])[]
  readonly #send: (results: readonly CallResult[]) => void
  readonly #abort = new AbortController()
  readonly #open = new Set<Promise<void>>()
  #results: CallResult[] = []
  #closed = false

  constructor(
    namespaces: readonly CodeNamespace[],
    send: (results: readonly CallResult[]) => void,
  ) {
    this.#places = namespaces.map(({ global, members }) =>
      [...members].map(([name, member]) => ({ name: `${global}.${name}`, member })),
    )
    this.#send = send
  }

  open(call: GuestCall): void {
    const place = this.#places[call.namespace]?.[call.member]
    if (this.#closed || place === undefined) return
    const running = this.#run(call, place).finally(() => this.#open.delete(running))
    this.#open.add(running)
  }

  /** No call after this; those open get their signal, and so much time, and are then left behind. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#open.size === 0) return
    this.#abort.abort(new Error('the run is over'))
    const grace = Promise.withResolvers<void>()
    const timer = setTimeout(grace.resolve, GRACE_MS)
    await Promise.race([Promise.all(this.#open), grace.promise])
    clearTimeout(timer)
  }

  async #run(call: GuestCall, { name, member }: Place): Promise<void> {
    const result = await this.#answer(call, name, member)
    if (this.#closed) return
    if (this.#results.length === 0) setImmediate(() => this.#flush())
    this.#results.push(result)
  }

  #flush(): void {
    const results = this.#results
    this.#results = []
    if (!this.#closed) this.#send(results)
  }

  async #answer(
    { id, argument }: GuestCall,
    name: string,
    member: CodeMember,
  ): Promise<CallResult> {
    try {
      const value: JsonValue | undefined = argument === undefined ? undefined : JSON.parse(argument)
      const encoded = encode(await member.call(value, this.#abort.signal), name, MOST_TEXT)
      if (encoded.status === 'encoded') {
        return { id, status: 'value', text: encoded.text, depth: encoded.depth }
      }
      if (encoded.status === 'nothing') return { id, status: 'nothing', text: '', depth: 0 }
      const why = encoded.status === 'refused' ? encoded.message : `over ${MOST_TEXT} characters`
      return failed(id, `what the host gave cannot cross: ${why}`)
    } catch (error) {
      return failed(id, error instanceof Error ? error.message : String(error))
    }
  }
}

function failed(id: number, text: string): CallResult {
  return { id, status: 'error', text, depth: 0 }
}
