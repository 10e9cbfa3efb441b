/** The port of the mesh: three durable primitives and one watch, bound to a workspace. */
import type {
  ClaimedMessage,
  EndedMessage,
  JsonValue,
  MailboxMessage,
  MailboxRecord,
  SettledMessage,
  SettleOutcome,
  StateChange,
  StateRecord,
  TopicMessage,
  TopicRecord,
} from 'dsh-fabric-protocol'

/** Who writes, and because of which message. */
export interface Author {
  readonly by: string
  readonly cause?: string
}

export interface Place extends Author {
  readonly id: string
  /** Shown to people; defaults to the id. */
  readonly label?: string
}

export interface MailboxPlace extends Place {
  /**
   * Claims end: one that its worker does not extend for so long is taken back, its token void. 100 ms to 30 days.
   * Absent: a claim stays, over any crash, until it is settled or an operator releases it.
   */
  readonly leaseMs?: number
  /** A message whose claim was taken back so often goes to the dead letters. 1 to 1000; absent: never. */
  readonly maxAttempts?: number
}

export interface Post extends Author {
  readonly payload: JsonValue
  /** The same id twice is one message: the second call returns the first. Defaults to one of the mesh's own. */
  readonly id?: string
}

export interface Letter extends Post {
  /** -100 to 100, default 0: higher ones are claimed first, equal ones oldest first. */
  readonly priority?: number
  /** Nobody gets it before; 0 to 30 days, default 0. */
  readonly delayMs?: number
}

export interface Page {
  /** Only what comes after this sequence; 0 or absent: from the start. */
  readonly after?: number
  /** 1 to 500, default 100. */
  readonly limit?: number
}

/** A worker proves its claims with its own secret; the mesh never stores it. */
export interface Worker {
  readonly id: string
  /** At least 16 bytes; the same after a restart, or its claims are lost to it. */
  readonly secret: string
}

export interface Claim {
  readonly message: ClaimedMessage
  readonly token: string
}

export interface Swap extends Author {
  readonly key: string
  /** 0 creates. */
  readonly expectedVersion: number
  readonly value: JsonValue
  /** Makes the change harmless twice: a change with this id that already won is returned again. */
  readonly id?: string
}

export type SwapResult =
  | { readonly status: 'swapped'; readonly record: StateRecord; readonly replayed: boolean }
  | { readonly status: 'conflict'; readonly current: StateRecord | undefined }

export type DeleteResult =
  | { readonly status: 'deleted'; readonly version: number }
  | { readonly status: 'conflict'; readonly current: StateRecord | undefined }

export type PublishResult =
  | { readonly status: 'published'; readonly message: TopicMessage; readonly replayed: boolean }
  | { readonly status: 'conflict'; readonly headSequence: number }

export interface PruneResult {
  readonly deleted: number
  readonly retained: number
}

export interface Snapshot {
  /** Each list oldest to newest, of the newest `limit`. */
  readonly topics: readonly TopicRecord[]
  readonly states: readonly StateRecord[]
  readonly mailboxes: readonly MailboxRecord[]
  readonly totals: {
    readonly topics: number
    readonly topicMessages: number
    readonly states: number
    readonly mailboxes: number
    readonly mailboxMessages: number
  }
  readonly truncated: boolean
}

export interface Topics {
  /** Fails with `already-exists`. */
  create(place: Place): Promise<TopicRecord>
  /** Creates it unless it is there. */
  open(place: Place): Promise<TopicRecord>
  find(topicId: string): Promise<TopicRecord | undefined>
  /** Fails with `not-found` for an unknown topic. Resolves once durable. */
  publish(topicId: string, post: Post & { readonly to?: readonly string[] }): Promise<TopicMessage>
  /**
   * Publishes only while `expectedHead` is the topic's newest sequence: what the author knows of the topic is all there
   * is. A message with this id that is there already is returned whatever the head.
   */
  publishAt(
    topicId: string,
    post: Post & { readonly to?: readonly string[]; readonly expectedHead: number },
  ): Promise<PublishResult>
  findMessage(topicId: string, messageId: string): Promise<TopicMessage | undefined>
  /** Oldest first. */
  read(topicId: string, page?: Page): Promise<readonly TopicMessage[]>
  /** The newest `limit`, oldest first; with `before`, the newest below that sequence. */
  tail(
    topicId: string,
    page?: { readonly limit?: number; readonly before?: number },
  ): Promise<readonly TopicMessage[]>
  prune(topicId: string, retain: number): Promise<PruneResult>
  /** Every message after the cursor, stored or still to come, in order, until aborted. */
  watch(
    topicId: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<TopicMessage>
}

export interface States {
  find(key: string): Promise<StateRecord | undefined>
  /** Ascending by key; `after` is the last key seen. */
  list(
    prefix: string,
    page?: { readonly after?: string; readonly limit?: number },
  ): Promise<readonly StateRecord[]>
  compareAndSwap(swap: Swap): Promise<SwapResult>
  delete(request: Omit<Swap, 'value'>): Promise<DeleteResult>
  /** Oldest first. */
  history(key: string, page?: Page): Promise<readonly StateChange[]>
  /** Changes of keys with this prefix after the cursor (`StateChange.sequence`), until aborted. */
  watch(
    prefix: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<StateChange>
}

export interface Mailboxes {
  create(place: MailboxPlace): Promise<MailboxRecord>
  /** Leases and attempts of one that is there stay as it was created. */
  open(place: MailboxPlace): Promise<MailboxRecord>
  find(mailboxId: string): Promise<MailboxRecord | undefined>
  send(mailboxId: string, letter: Letter): Promise<MailboxMessage>
  findMessage(mailboxId: string, messageId: string): Promise<MailboxMessage | undefined>
  /**
   * The first message that may be claimed: of the highest priority, the oldest; undefined when there is none. It is this
   * worker's until settled, released, or its lease ends.
   */
  claim(mailboxId: string, worker: Worker): Promise<Claim | undefined>
  /** Waits for a message, for a delay to pass or a lease to end; undefined once aborted. */
  claimNext(mailboxId: string, worker: Worker, signal: AbortSignal): Promise<Claim | undefined>
  /** The claims this worker holds, oldest first, with their tokens: what it must finish after a restart. */
  claimsOf(mailboxId: string, worker: Worker): Promise<readonly Claim[]>
  /**
   * The worker's heartbeat: its lease now ends `leaseMs` from now. Changes nothing in a mailbox without leases. Fails with
   * `claim-lost`, `not-claimed`, `not-found`.
   */
  extend(
    mailboxId: string,
    messageId: string,
    request: { readonly token: string },
  ): Promise<ClaimedMessage>
  /**
   * Settling again with the claim's token returns the stored outcome. Fails with `claim-lost`, whose detail has
   * `since`: every `ClaimRelease` from this claim on; `not-claimed`, `not-found`.
   */
  settle(
    mailboxId: string,
    messageId: string,
    request: { readonly token: string; readonly outcome: SettleOutcome },
  ): Promise<SettledMessage>
  /** Waits until the message is settled or dead (at once if it is); undefined once aborted. Fails with `not-found`. */
  whenSettled(
    mailboxId: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<EndedMessage | undefined>
  /**
   * An operator takes a claim back: the message is queued again in its place, or dead after `maxAttempts`; the old token
   * is void. A dead message is queued again, for one more attempt. Fails with `not-claimed` for any other.
   */
  release(
    mailboxId: string,
    messageId: string,
    request: Author & { readonly reason: string },
  ): Promise<MailboxMessage>
  /** Oldest first, all statuses. */
  read(mailboxId: string, page?: Page): Promise<readonly MailboxMessage[]>
  /** Those of one status, oldest first; its cost does not grow with what is settled. */
  list(
    mailboxId: string,
    status: 'queued' | 'claimed' | 'dead',
    page?: Page,
  ): Promise<readonly MailboxMessage[]>
  /** Deletes settled messages only, keeping the newest `retain` of them. */
  prune(mailboxId: string, retain: number): Promise<PruneResult>
}

/** Writes issued one after another in one event-loop turn take effect in that order, however they are awaited. */
export interface MeshWorkspace {
  readonly identity: string
  readonly topics: Topics
  readonly states: States
  readonly mailboxes: Mailboxes
  snapshot(limit?: number): Promise<Snapshot>
}

/** What is wrong in a store, or soon will be. */
export interface MeshFinding {
  readonly kind: 'damage' | 'warning'
  /** Names the record, the server or the file. */
  readonly text: string
}

export interface MeshReport {
  readonly engine: 'sqlite' | 'nats'
  /** The file, or the servers without their credentials. */
  readonly where: string
  readonly findings: readonly MeshFinding[]
  /** For people and programs: version, size, records. */
  readonly facts: Readonly<Record<string, number | string>>
}

export interface Mesh {
  /** `identity`: 1 to 16 KiB; equal identities share everything, others nothing. */
  workspace(identity: string): MeshWorkspace
  /** Looks at the whole store, which may take a while; changes nothing. */
  check(): Promise<MeshReport>
  /** Admitted writes finish first; later calls fail with `closed`. */
  close(): Promise<void>
}
