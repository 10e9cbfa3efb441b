/** Which changes of a key carried an id, as far back as its history goes; read once, then only what is new. */
import type { Link } from './link.ts'
import { readPage } from './reader.ts'
import type { Entry } from './wire.ts'

const REMEMBERED_KEYS = 512
const PAGE = 500

interface Change {
  readonly id: string | undefined
  readonly sequence: number
}

interface Known {
  readonly ids: Map<string, number>
  upTo: number
}

export class KeyChanges {
  private readonly link: Link
  private readonly idOf: (entry: Entry) => string | undefined
  private readonly keys = new Map<string, Known>()

  constructor(link: Link, idOf: (entry: Entry) => string | undefined) {
    this.link = link
    this.idOf = idOf
  }

  /** The sequence of the change with the id; `newest` is the key's newest change. */
  async find(
    stream: string,
    request: { readonly subject: string; readonly id: string; readonly newest: number },
  ): Promise<number | undefined> {
    const { subject, id, newest } = request
    const known = this.known(subject)
    while (known.upTo < newest) {
      const page = { filter: subject, from: known.upTo + 1, head: newest, limit: PAGE }
      const entries = await readPage(this.link, stream, page)
      for (const entry of entries)
        this.add(subject, { id: this.idOf(entry), sequence: entry.sequence })
      if (entries.length < PAGE) known.upTo = newest
    }
    return known.ids.get(id)
  }

  /** A change whose predecessor was known; others are read when needed. */
  add(subject: string, change: Change, predecessor?: number): void {
    const known = this.known(subject)
    if (predecessor !== undefined && known.upTo !== predecessor) return
    const { id, sequence } = change
    if (id !== undefined) known.ids.set(id, sequence)
    known.upTo = Math.max(known.upTo, sequence)
  }

  private known(subject: string): Known {
    const found = this.keys.get(subject)
    if (found !== undefined) return found
    const oldest = this.keys.keys().next()
    if (this.keys.size >= REMEMBERED_KEYS && oldest.done !== true) this.keys.delete(oldest.value)
    const known: Known = { ids: new Map(), upTo: 0 }
    this.keys.set(subject, known)
    return known
  }
}
