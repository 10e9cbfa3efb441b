/** The newest messages of a mailbox and of many places, read in small pages backwards. */
import type { MailboxMessage } from 'dsh-fabric-protocol'
import type { MeshReach } from '../access.ts'
import { LIMIT } from '../bounds.ts'

type Mailboxes = Pick<MeshReach['mailboxes'], 'find' | 'read'>

/** Newest first. Fails with `not-found`. */
export async function newestInMailbox(
  mailboxes: Mailboxes,
  mailboxId: string,
  limit: number,
): Promise<readonly MailboxMessage[]> {
  const head = (await mailboxes.find(mailboxId))?.headSequence ?? 0
  if (head === 0) return await mailboxes.read(mailboxId, { limit })
  const found: MailboxMessage[] = []
  for await (const page of pagesBack(mailboxes, mailboxId, { before: head + 1, size: limit })) {
    found.push(...page)
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

/**
 * Pages newest first, each newest first. A window of sequences that holds few messages, because of prunes, makes the
 * next one wider.
 */
export async function* pagesBack(
  mailboxes: Pick<Mailboxes, 'read'>,
  mailboxId: string,
  from: { readonly before: number; readonly size: number },
): AsyncGenerator<readonly MailboxMessage[], void, void> {
  let { before, size } = from
  while (before > 1) {
    const after = Math.max(0, before - 1 - size)
    const page = await windowOf(mailboxes, mailboxId, { after, before })
    yield page.toReversed()
    if (page.length * 2 < size) size *= 2
    before = after + 1
  }
}

/** Every message between the two sequences, neither included. */
async function windowOf(
  mailboxes: Pick<Mailboxes, 'read'>,
  mailboxId: string,
  { after, before }: { readonly after: number; readonly before: number },
): Promise<readonly MailboxMessage[]> {
  const found: MailboxMessage[] = []
  for (let cursor = after; cursor < before - 1;) {
    const limit = Math.min(LIMIT.most, before - 1 - cursor)
    const page = await mailboxes.read(mailboxId, { after: cursor, limit })
    found.push(...page.filter(({ sequence }) => sequence < before))
    cursor = page.length < limit ? before : (page.at(-1)?.sequence ?? before)
  }
  return found
}
