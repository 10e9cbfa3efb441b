/** When the log of a mailbox gets a checkpoint, and what is removed from the log thanks to it. */
import {
  type Checkpoint,
  decodeCheckpoint,
  decodeMark,
  encodeCheckpoint,
  type Mark,
} from './checkpoint.ts'
import { lanes } from './command.ts'
import type { Dump } from './fold.ts'
import type { Link } from './link.ts'
import type { StreamName } from './names.ts'
import type { Entry } from './wire.ts'

/** Commands between checkpoints: this, or up to twice as many, so that processes do not all write one at once. */
const EVERY = 1000
/** A command whose answer its writer may still wait for is not removed. */
const COMMANDS_KEPT_MS = 10 * 60 * 1000
const REMEMBERED_EVERY_MS = 60 * 1000
const REMEMBERED = 20

/** `refused`: another process was first. `too-large`: so much is open that it does not fit. */
export type WriteOutcome = 'written' | 'refused' | 'too-large'

/** Where the log stood at a time. */
type Old = Checkpoint['older'][number]

export class Checkpoints {
  private readonly link: Link
  private readonly name: StreamName
  private readonly now: () => number
  /** Of the newest, in the log. */
  private place = 0
  /** What the newest has seen. */
  through = 0
  private due = nextAfter(0)
  private older: readonly Old[] = []
  private writing: Promise<WriteOutcome> | undefined
  private written: { readonly data: Uint8Array; readonly mark: Mark } | undefined

  constructor(link: Link, name: StreamName, now: () => number) {
    this.link = link
    this.name = name
    this.now = now
  }

  isDue(sequence: number): boolean {
    return sequence >= this.due && this.writing === undefined && !this.link.closed
  }

  async find(): Promise<Checkpoint | undefined> {
    const { link, name } = this
    const entry = await link.findLast(name.stream, this.subject)
    if (entry === undefined) return undefined
    const checkpoint = decodeCheckpoint(name.stream, entry)
    this.seen(entry, checkpoint)
    return checkpoint
  }

  /** Comes by in the log: what it holds is known already. */
  see(entry: Entry): void {
    const own = this.written?.data === entry.data ? this.written.mark : undefined
    this.seen(entry, own ?? decodeMark(this.name.stream, entry))
  }

  private seen(entry: Entry, { older, through }: Mark): void {
    this.place = entry.sequence
    this.through = through
    this.due = nextAfter(through)
    this.older = older
  }

  /** One at a time: what is being written already comes first. */
  async write(
    through: number,
    dump: () => Dump,
    stored: (entry: Entry) => void,
  ): Promise<WriteOutcome> {
    if (this.writing !== undefined) {
      await this.writing
      return 'refused'
    }
    if (through < this.place) return 'refused'
    this.writing = this.writeNow(through, dump(), stored).finally(() => (this.writing = undefined))
    return this.writing
  }

  private async writeNow(
    through: number,
    dump: Dump,
    stored: (entry: Entry) => void,
  ): Promise<WriteOutcome> {
    const { link, name, place } = this
    this.due = nextAfter(through) // not again at once, whatever comes of it
    const at = this.now()
    const older = olderWith(this.older, { through, at })
    const data = encodeCheckpoint({ through, older, at, dump })
    if (data === undefined) return 'too-large'
    this.written = { data, mark: { through, older, at } }
    const condition = { stream: name.stream, lastOfSubject: place }
    const published = await link.publish(this.subject, data, condition)
    if (published.status === 'refused') return 'refused'
    stored({ subject: this.subject, sequence: published.sequence, data })
    await this.removeOld(older, at)
    return 'written'
  }

  private get subject(): string {
    return `${this.name.root}.${lanes.checkpoint}`
  }

  private async removeOld(older: readonly Old[], at: number): Promise<void> {
    const { link, name } = this
    await link.purge(name.stream, { filter: this.subject, keep: 1 })
    const old = older.findLast((each) => each.at <= at - COMMANDS_KEPT_MS)
    if (old === undefined) return
    for (const lane of [lanes.claim, lanes.extend, lanes.release]) {
      await link.purge(name.stream, { filter: `${name.root}.${lane}.>`, through: old.through })
    }
  }
}

function nextAfter(through: number): number {
  return through + EVERY * (1 + Math.random())
}

function olderWith(older: readonly Old[], now: Old): readonly Old[] {
  const last = older.at(-1)
  if (last !== undefined && now.at - last.at < REMEMBERED_EVERY_MS) return older
  return [...older, now].slice(-REMEMBERED)
}
