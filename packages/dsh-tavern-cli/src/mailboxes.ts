/** `mailboxes` and `release`: what is owed and by whom, and the operator's way to take a claim back. */
import type { Context } from '@deepseek-ai/cordis'
import type { MailboxMessage, MailboxRecord } from 'dsh-fabric-protocol'
import { json as jsonText, printable } from './printable.ts'

/** Messages shown of each mailbox and status. */
const SHOWN = 100
const MAILBOXES = 500

/** Every mailbox with something open, then each claim and dead letter in it. */
export async function* mailboxesText(ctx: Context, json: boolean): AsyncGenerator<string> {
  const { mailboxes: all, truncated } = await ctx.scenes.workspace.snapshot(MAILBOXES)
  for (const mailbox of all) {
    if (mailbox.queued + mailbox.claimed + mailbox.dead === 0) continue
    yield json ? jsonText(mailbox) : printable(mailboxLine(mailbox))
    for (const message of await openIn(ctx, mailbox.id)) {
      yield json ? jsonText(message) : printable(`  ${messageLine(message)}`)
    }
  }
  if (truncated && !json) yield `Only the ${MAILBOXES} newest mailboxes were looked at.`
}

export interface ReleaseRequest {
  readonly mailbox: string
  readonly message: string
  readonly reason: string
}

/** Fails with the mesh's `not-found`, and with `not-claimed` for what nobody holds. */
export async function* releaseText(
  ctx: Context,
  { mailbox, message, reason }: ReleaseRequest,
  json: boolean,
): AsyncGenerator<string> {
  const { mailboxes } = ctx.scenes.workspace
  const released = await mailboxes.release(mailbox, message, { by: 'operator', reason })
  yield json ? jsonText(released) : printable(messageLine(released))
}

async function openIn(ctx: Context, mailbox: string): Promise<readonly MailboxMessage[]> {
  const { mailboxes } = ctx.scenes.workspace
  const page = { limit: SHOWN }
  return [
    ...(await mailboxes.list(mailbox, 'claimed', page)),
    ...(await mailboxes.list(mailbox, 'dead', page)),
  ]
}

function mailboxLine({ id, queued, claimed, dead }: MailboxRecord): string {
  return `${id}: ${queued} queued, ${claimed} claimed, ${dead} dead`
}

function messageLine(message: MailboxMessage): string {
  const { id, status, attempts } = message
  const times = `attempt ${attempts}`
  if (status === 'claimed') {
    return `${id}: claimed by '${message.claimedBy}' since ${when(message.claimedAt)} (${times})`
  }
  if (status === 'dead') return `${id}: dead since ${when(message.diedAt)}: ${message.reason}`
  return `${id}: ${status} (${times})`
}

function when(at: number): string {
  return new Date(at).toISOString()
}
