/** How a mailbox is read backwards: what few messages over a wide gap cost. */
import type { MailboxMessage } from 'dsh-fabric-protocol'
import { expect, it } from 'vitest'
import { newestInMailbox } from '../../packages/dsh-fabric-mesh/src/tool/newest.ts'

function message(sequence: number): MailboxMessage {
  const sent = { mailboxId: 'old', id: `m${sequence}`, payload: sequence, by: 'test', sentAt: 1 }
  return { status: 'queued', ...sent, sequence, attempts: 0, priority: 0 }
}

/** A mailbox that holds messages of these sequences, ascending, and counts how often it is read. */
function mailboxOf(sequences: readonly number[]) {
  let reads = 0
  const messages = sequences.map(message)
  const headSequence = sequences.at(-1) ?? 0
  const counts = { queued: sequences.length, claimed: 0, completed: 0, failed: 0, dead: 0 }
  return {
    reads: () => reads,
    find: async () => ({
      id: 'old',
      label: 'old',
      by: 'test',
      createdAt: 1,
      updatedAt: 1,
      headSequence,
      ...counts,
    }),
    read: async (_id: string, { after = 0, limit = 100 } = {}) => {
      reads += 1
      return messages.filter(({ sequence }) => sequence > after).slice(0, limit)
    },
  }
}

it.each([
  ['one at each end of a million', [1, 1_000_000], 2],
  ['a thousand, then a million of nothing, then two', [...Array(1000).keys(), 1e6, 1e6 + 1], 50],
  ['a thousand without a gap', Array.from({ length: 1000 }, (_, index) => index + 1), 500],
  ['every hundredth', Array.from({ length: 1000 }, (_, index) => (index + 1) * 100), 120],
])('%s: the newest, in few reads', async (_what, given, limit) => {
  const sequences = given.filter((sequence) => sequence > 0)
  const mailbox = mailboxOf(sequences)

  const newest = await newestInMailbox(mailbox, 'old', limit)

  expect(newest.map(({ sequence }) => sequence)).toEqual(sequences.toReversed().slice(0, limit))
  expect(mailbox.reads()).toBeLessThan(40)
})
