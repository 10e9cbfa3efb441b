/** A workspace of a mesh that may be away for a while: what fails because of that is tried again until it is back. */
import {
  type Claim,
  MeshError,
  type Mailboxes,
  type MeshWorkspace,
  type States,
  type Topics,
} from 'dsh-fabric-mesh'
import type { MailboxMessage } from 'dsh-fabric-protocol'
import { pause } from './pause.ts'

export interface Patience {
  readonly pauseMs: number
  /** Aborted when nothing is worth waiting for any more: what then fails, fails. */
  readonly signal: AbortSignal
  /** Told once at the first failure. */
  readonly waiting: (error: MeshError) => void
  /** Told once when the mesh answers again. */
  readonly back: () => void
}

/**
 * Safe because every write of the play is harmless twice: by its id, its token, or its expected
 * version, whose conflict shows what stands.
 */
export function patientWorkspace(workspace: MeshWorkspace, patience: Patience): MeshWorkspace {
  const retry = new Retry(patience)
  return {
    identity: workspace.identity,
    topics: patientTopics(workspace.topics, retry),
    states: patientStates(workspace.states, retry),
    mailboxes: patientMailboxes(workspace.mailboxes, retry),
    snapshot: (limit) => retry.call(() => workspace.snapshot(limit)),
  }
}

class Retry {
  readonly #patience: Patience
  #isWaiting = false

  constructor(patience: Patience) {
    this.#patience = patience
  }

  async call<T>(task: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await this.#unlessClosing(task())
        this.back()
        return result
      } catch (error) {
        await this.pauseAfter(error)
      }
    }
  }

  /** The engine has a patience of its own; who closes does not wait for that. */
  async #unlessClosing<T>(task: Promise<T>): Promise<T> {
    const { signal } = this.#patience
    const closed = Promise.withResolvers<never>()
    const close = () => {
      closed.reject(new MeshError('store-unavailable', 'the mesh was given up while it was away'))
    }
    signal.addEventListener('abort', close, { once: true })
    if (signal.aborted && this.#isWaiting) close()
    try {
      return await Promise.race([task, closed.promise])
    } finally {
      signal.removeEventListener('abort', close)
    }
  }

  back(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#patience.back()
  }

  /** Fails with the error when waiting would not help. */
  async pauseAfter(error: unknown, until?: AbortSignal): Promise<void> {
    const { signal, pauseMs } = this.#patience
    const isAway = error instanceof MeshError && error.code === 'store-unavailable'
    if (!isAway || signal.aborted) throw error
    if (!this.#isWaiting) this.#patience.waiting(error)
    this.#isWaiting = true
    await pause(pauseMs, until ? AbortSignal.any([signal, until]) : signal)
  }

  /** A watch that goes on where it broke off. */
  async *watch<T>(
    from: (after: number) => AsyncIterable<T>,
    options: {
      readonly after: number
      readonly signal: AbortSignal
      readonly sequenceOf: (item: T) => number
    },
  ): AsyncGenerator<T, void, void> {
    let { after } = options
    const { signal, sequenceOf } = options
    while (!signal.aborted) {
      try {
        for await (const item of from(after)) {
          this.back()
          after = sequenceOf(item)
          yield item
        }
        return
      } catch (error) {
        await this.pauseAfter(error, signal)
      }
    }
  }

  /** Undefined once aborted, whether the mesh is there or not. */
  async until<T>(
    signal: AbortSignal,
    task: (isAgain: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    for (let isAgain = false; ; isAgain = true) {
      try {
        const result = await task(isAgain)
        // an answer that was no longer waited for says nothing of the mesh
        if (result !== undefined) this.back()
        return result
      } catch (error) {
        if (signal.aborted) return undefined
        await this.pauseAfter(error, signal)
      }
    }
  }
}

function patientTopics(topics: Topics, retry: Retry): Topics {
  return {
    create: (place) => retry.call(() => topics.create(place)),
    open: (place) => retry.call(() => topics.open(place)),
    find: (id) => retry.call(() => topics.find(id)),
    publish: (id, post) => retry.call(() => topics.publish(id, post)),
    publishAt: (id, post) => retry.call(() => topics.publishAt(id, post)),
    findMessage: (id, message) => retry.call(() => topics.findMessage(id, message)),
    read: (id, page) => retry.call(() => topics.read(id, page)),
    tail: (id, page) => retry.call(() => topics.tail(id, page)),
    prune: (id, retain) => retry.call(() => topics.prune(id, retain)),
    watch: (id, { after, signal }) =>
      retry.watch((from) => topics.watch(id, { after: from, signal }), {
        after,
        signal,
        sequenceOf: ({ sequence }) => sequence,
      }),
  }
}

function patientStates(states: States, retry: Retry): States {
  return {
    find: (key) => retry.call(() => states.find(key)),
    list: (prefix, page) => retry.call(() => states.list(prefix, page)),
    compareAndSwap: (swap) => retry.call(() => states.compareAndSwap(swap)),
    delete: (request) => retry.call(() => states.delete(request)),
    history: (key, page) => retry.call(() => states.history(key, page)),
    watch: (prefix, { after, signal }) =>
      retry.watch((from) => states.watch(prefix, { after: from, signal }), {
        after,
        signal,
        sequenceOf: ({ sequence }) => sequence,
      }),
  }
}

function patientMailboxes(mailboxes: Mailboxes, retry: Retry): Mailboxes {
  return {
    create: (place) => retry.call(() => mailboxes.create(place)),
    open: (place) => retry.call(() => mailboxes.open(place)),
    find: (id) => retry.call(() => mailboxes.find(id)),
    send: (id, letter) => retry.call(() => mailboxes.send(id, letter)),
    findMessage: (id, message) => retry.call(() => mailboxes.findMessage(id, message)),
    claim: (id, worker) => retry.call(() => mailboxes.claim(id, worker)),
    // one whose answer was lost on its way is held, not given again: it is looked for first
    claimNext: (id, worker, signal) =>
      retry.until<Claim>(signal, async (isAgain) => {
        const [held] = isAgain ? await mailboxes.claimsOf(id, worker) : []
        return held ?? (await mailboxes.claimNext(id, worker, signal))
      }),
    claimsOf: (id, worker) => retry.call(() => mailboxes.claimsOf(id, worker)),
    extend: (id, message, request) => retry.call(() => mailboxes.extend(id, message, request)),
    settle: (id, message, request) => retry.call(() => mailboxes.settle(id, message, request)),
    whenSettled: (id, message, signal) =>
      retry.until(signal, () => mailboxes.whenSettled(id, message, signal)),
    release: (id, message, request) => patientRelease(mailboxes, retry, [id, message, request]),
    read: (id, page) => retry.call(() => mailboxes.read(id, page)),
    list: (id, status, page) => retry.call(() => mailboxes.list(id, status, page)),
    prune: (id, retain) => retry.call(() => mailboxes.prune(id, retain)),
  }
}

/** One whose answer was lost may have been made, and another may hold the message by now: it is looked at first. */
async function patientRelease(
  mailboxes: Mailboxes,
  retry: Retry,
  [id, messageId, request]: Parameters<Mailboxes['release']>,
): Promise<MailboxMessage> {
  const before = await retry.call(() => mailboxes.findMessage(id, messageId))
  let isAgain = false
  return await retry.call(async () => {
    const now = isAgain ? await mailboxes.findMessage(id, messageId) : before
    isAgain = true
    if (before && now && !isSame(before, now)) return now
    return await mailboxes.release(id, messageId, request)
  })
}

/** Nothing has happened to the message between the two looks. */
function isSame(before: MailboxMessage, now: MailboxMessage): boolean {
  return before.status === now.status && before.attempts === now.attempts
}
