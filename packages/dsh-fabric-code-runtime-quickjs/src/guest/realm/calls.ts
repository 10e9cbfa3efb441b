/**
 * Calls of what is bound, on their way: each settles once, in any order. So many are with the host at
 * a time; the rest wait in the program's own heap. Self-contained: runs in the realm.
 */
import type { Decode } from '../../crossing/decoder.ts'
import type { Encode } from '../../crossing/encoder.ts'
import type { RealmPort } from './port.ts'
import type { Positions } from './positions.ts'

export interface Call {
  readonly namespace: number
  readonly member: number
  /** Makes the rejection from the host's message. */
  readonly createError: (message: string) => Error
}

export interface Calls {
  readonly open: (call: Call, argument: unknown, name: string) => Promise<unknown>
  readonly settle: (id: number, status: string, text: string, depth: number) => void
}

interface Waiting {
  readonly id: number
  readonly call: Call
  readonly text: string
  readonly size: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Made where the program called. */
  readonly site: Error
  next: Waiting | undefined
}

export interface CallParts {
  readonly port: RealmPort
  readonly encode: Encode
  readonly decode: Decode
  readonly positions: Positions
  readonly maxText: number
}

export function createCalls(parts: CallParts): Calls {
  const { port, encode, decode, positions, maxText } = parts
  const Pledge = Promise
  const Site = Error
  const { setPrototypeOf } = Object
  const mostInFlight = 4096
  const mostText = 67_108_864
  const inFlight: Record<number, Waiting> = setPrototypeOf({}, null)
  let count = 0
  let size = 0
  let lastId = 0
  let first: Waiting | undefined
  let last: Waiting | undefined

  return {
    open(call, argument, name) {
      const site = new Site()
      return new Pledge((resolve, reject) => {
        const encoded = encode(argument, name, maxText)
        if (encoded.status === 'refused' || encoded.status === 'too-long') {
          const message =
            encoded.status === 'refused' ? encoded.message : `${name}: over ${maxText} characters`
          reject(rejection(call, message, site))
          return
        }
        lastId += 1
        const text = encoded.status === 'nothing' ? '-' : `=${encoded.text}`
        const id = lastId
        queue({ id, call, text, size: text.length, resolve, reject, site, next: undefined })
        sendQueued()
      })
    },
    settle(id, status, text, depth) {
      const waiting = inFlight[id]
      if (waiting === undefined) return
      delete inFlight[id]
      count -= 1
      size -= waiting.size
      if (status === 'error') waiting.reject(rejection(waiting.call, text, waiting.site))
      else waiting.resolve(status === 'nothing' ? undefined : decode(text, depth))
      sendQueued()
    },
  }

  function rejection(call: Call, message: string, site: Error): Error {
    const error = call.createError(message)
    positions.adopt(error, site)
    return error
  }

  function queue(waiting: Waiting): void {
    if (last === undefined) first = waiting
    else last.next = waiting
    last = waiting
  }

  function sendQueued(): void {
    while (first !== undefined) {
      if (count >= mostInFlight || (count > 0 && size + first.size > mostText)) return
      const waiting = first
      first = waiting.next
      if (first === undefined) last = undefined
      count += 1
      size += waiting.size
      const { id, call, resolve, reject, site } = waiting
      // without its text, which now is the host's
      inFlight[id] = { ...waiting, text: '', next: undefined, resolve, reject, site }
      port.call(id, call.namespace, call.member, waiting.text)
    }
  }
}
