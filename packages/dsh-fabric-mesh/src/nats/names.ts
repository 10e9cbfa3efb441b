/** Names of streams and subjects: ids may hold any text, so digests of them are used; the text is in the records. */
import { createHash } from 'node:crypto'

/** 128 bits of a digest. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** The streams and subjects of one workspace in one store. */
export class Names {
  readonly store: string
  readonly workspace: string

  constructor(store: string, identity: string) {
    this.store = store
    this.workspace = digestOf(identity)
  }

  /** Every subject of the workspace. */
  get all(): string {
    return `${this.store}.${this.workspace}.>`
  }

  topic(topicId: string): StreamName {
    return this.place('t', digestOf(topicId))
  }

  mailbox(mailboxId: string): StreamName {
    return this.place('m', digestOf(mailboxId))
  }

  states(): StreamName {
    return this.place('s', 'all')
  }

  private place(kind: string, id: string): StreamName {
    const { store, workspace } = this
    return {
      stream: `${store}-${workspace}-${kind}-${id}`,
      root: `${store}.${workspace}.${kind}.${id}`,
    }
  }
}

export interface StreamName {
  readonly stream: string
  /** Its subjects begin with this and a dot. */
  readonly root: string
}

export type StreamKind = 'topic' | 'mailbox' | 'states'

export function kindOf(stream: string): StreamKind | undefined {
  const kind = stream.split('-').at(-2)
  if (kind === 't') return 'topic'
  if (kind === 'm') return 'mailbox'
  return kind === 's' ? 'states' : undefined
}
