/**
 * Forgets settled messages: a command in the log says which, counted when the log stood at a known place, and their
 * records are removed after a checkpoint, so that no process misses what is gone.
 */
import type { PruneResult } from '../mesh.ts'
import { randomUUID } from 'node:crypto'
import { encodeCommand, lanes } from './command.ts'
import type { MailRoom, Room } from './mail-room.ts'
import { readPage } from './reader.ts'
import type { Entry } from './wire.ts'

const AT_ONCE = 64

/** What was settled when the log stood at `asOf`, the oldest of it. */
interface Settled {
  readonly asOf: number
  readonly spared: readonly number[]
  readonly total: number
  /** Oldest first. */
  readonly sequences: readonly number[]
}

export async function pruneMailbox(
  mail: MailRoom,
  room: Room,
  retain: number,
): Promise<PruneResult> {
  for (;;) {
    await room.box.fresh()
    const settled = await oldestSettled(mail, room, retain)
    const through = settled.sequences.at(-1)
    const deleted = settled.sequences.length
    const result = { deleted, retained: settled.total - deleted }
    if (through === undefined) {
      await removeGone(mail, room)
      return result
    }
    const failed = await countFailed(mail, room, settled.sequences)
    const value = {
      asOf: settled.asOf,
      through,
      spared: settled.spared.filter((each) => each <= through),
      completed: deleted - failed,
      failed,
      at: mail.store.options.now(),
    }
    const written = encodeCommand({ kind: 'prune', value })
    const lane = `${lanes.prune}.${randomUUID()}`
    const verdict = await room.box.command(lane, written, { lastOfSubject: 0 })
    if (verdict === undefined || verdict === 'refused' || !verdict.effective) continue // another was first
    await removeGone(mail, room)
    return result
  }
}

async function oldestSettled(mail: MailRoom, room: Room, retain: number): Promise<Settled> {
  const { box } = room
  const { fold } = box
  const asOf = box.place
  const spared = fold.openSequences()
  const open = new Set(spared)
  const gone = fold.gone()
  const total = fold.completed + fold.failed
  const excess = Math.max(0, total - retain)
  const sequences: number[] = []
  if (excess > 0) {
    for await (const page of letterPages(mail, room, asOf)) {
      const found = page.filter((each) => !open.has(each) && !gone(each))
      sequences.push(...found.slice(0, excess - sequences.length))
      if (sequences.length === excess) break
    }
  }
  return { asOf, spared, total, sequences }
}

async function countFailed(
  mail: MailRoom,
  room: Room,
  sequences: readonly number[],
): Promise<number> {
  let failed = 0
  await forEach(sequences, async (sequence) => {
    if ((await mail.settlement(room, sequence))?.status === 'failed') failed += 1
  })
  return failed
}

/** What prunes left, this one or one before that was cut short. */
async function removeGone(mail: MailRoom, room: Room): Promise<void> {
  const { box } = room
  const { lastPrune, prunedThrough } = box.fold
  if (box.cleanedThrough === lastPrune || !(await box.isCovered(lastPrune))) return
  const gone = box.fold.gone()
  for await (const page of letterPages(mail, room, prunedThrough)) {
    await removeRecords(mail, room, page.filter(gone))
  }
  box.cleanedThrough = lastPrune
}

/** The sequences of the letters that are there. */
async function* letterPages(
  mail: MailRoom,
  { name }: Room,
  head: number,
): AsyncGenerator<readonly number[], void, void> {
  const filter = `${name.root}.${lanes.letter}.*`
  for (let from = 1; from <= head;) {
    const page = { filter, from, head, limit: 500 }
    const sequences = (await readPage(mail.store.link, name.stream, page)).map(sequenceOf)
    if (sequences.length === 0) return
    yield sequences
    from = (sequences.at(-1) ?? from) + 1
  }
}

function sequenceOf({ sequence }: Entry): number {
  return sequence
}

async function removeRecords(
  mail: MailRoom,
  room: Room,
  sequences: readonly number[],
): Promise<void> {
  const { link } = mail.store
  const { root, stream } = room.name
  await forEach(sequences, async (sequence) => {
    await link.purge(stream, { filter: `${root}.${lanes.settle}.${sequence}` })
    await link.remove(stream, sequence)
  })
}

async function forEach(
  sequences: readonly number[],
  run: (sequence: number) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < sequences.length; from += AT_ONCE) {
    await Promise.all(sequences.slice(from, from + AT_ONCE).map(run))
  }
}
