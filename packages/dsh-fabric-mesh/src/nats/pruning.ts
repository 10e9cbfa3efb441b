/**
 * Forgets settled messages: a command in the log says which, counted when the log stood at a known place, and their
 * records are removed after a checkpoint, so that no process misses what is gone.
 */
import type { PruneResult } from '../mesh.ts'
import { randomUUID } from 'node:crypto'
import { encodeCommand, lanes } from './command.ts'
import type { MailRoom, Room } from './mail-room.ts'
import { readPage } from './reader.ts'

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
    if (through === undefined) return result
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
    if (await room.box.checkpoint()) await removeRecords(mail, room, settled.sequences)
    return result
  }
}

async function oldestSettled(mail: MailRoom, room: Room, retain: number): Promise<Settled> {
  const { box, name } = room
  const { fold } = box
  const asOf = box.place
  const spared = fold.openSequences()
  const open = new Set(spared)
  const gone = fold.gone()
  const total = fold.completed + fold.failed
  const excess = Math.max(0, total - retain)
  const sequences: number[] = []
  const filter = `${name.root}.${lanes.letter}.*`
  for (let from = 1; sequences.length < excess;) {
    const page = await readPage(mail.store.link, name.stream, {
      filter,
      from,
      head: asOf,
      limit: 500,
    })
    for (const { sequence } of page) {
      if (sequences.length < excess && !open.has(sequence) && !gone(sequence))
        sequences.push(sequence)
      from = sequence + 1
    }
    if (page.length === 0) break
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
