/** Names of streams and subjects: ids may hold any text, so digests of them are used; the text is in the records. */
import { hash } from 'node:crypto'

const REMEMBERED = 4096

/** 128 bits of a digest. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** The streams and subjects of one workspace in one store. */
export class Names {
  readonly store: string
  readonly workspace: string
  private readonly known = new Map<string, StreamName>()

  constructor(store: string, identity: string) {
    this.store = store
    this.workspace = digestOf(identity)
  }

  /** Every subject of the workspace. */
  get all(): string {
    return `${this.store}.${this.workspace}.>`
  }

  topic(topicId: string): StreamName {
    return this.once('t', topicId)
  }

  mailbox(mailboxId: string): StreamName {
    return this.once('m', mailboxId)
  }

  states(): StreamName {
    return this.place('s', 'all')
  }

  private once(kind: string, id: string): StreamName {
    const known = this.known.get(`${kind} ${id}`)
    if (known !== undefined) return known
    const name = this.place(kind, digestOf(id))
    if (this.known.size >= REMEMBERED) this.known.clear()
    this.known.set(`${kind} ${id}`, name)
    return name
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
