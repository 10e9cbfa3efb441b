/** The tool's snapshot: the newest of everything, bounded in count and in bytes. */
import {
  asJson,
  type JsonValue,
  type MailboxMessage,
  type MailboxRecord,
  type TopicMessage,
  type TopicRecord,
} from 'dsh-fabric-protocol'
import type { MeshReach } from '../access.ts'
import type { Arguments } from './arguments.ts'
import type { Caller } from './caller.ts'
import { fitting } from './fitting.ts'
import { newestOf, type Source } from './merging.ts'
import { pagesBack } from './newest.ts'
import { shownActor, shownMessage, shownTotals } from './records.ts'

/** UTF-8 bytes of JSON: of the state in a snapshot, of its topic messages, of its mailbox messages. */
export const SNAPSHOT_BYTES = 128 * 1024
const PAGE = 16

/** Each list oldest to newest, as the peer's. */
export async function snapshot(given: Arguments, { reach }: Caller): Promise<JsonValue> {
  const limit = given.limit()
  const { topics, states, mailboxes, totals, truncated } = await reach.snapshot(limit)
  const kept = fitting(states.toReversed(), SNAPSHOT_BYTES).toReversed()
  const bounds = { limit, bytes: SNAPSHOT_BYTES }
  const [published, mail] = await Promise.all([
    newestOf(
      topics.map((topic) => topicSource(reach, topic)),
      { ...bounds, timeOf: ({ publishedAt }: TopicMessage) => publishedAt },
    ),
    newestOf(
      mailboxes.map((mailbox) => mailboxSource(reach, mailbox)),
      { ...bounds, timeOf: ({ sentAt }: MailboxMessage) => sentAt },
    ),
  ])
  return {
    topics: topics.map(asJson),
    topicMessages: published.items.map(asJson),
    states: kept.map(asJson),
    actors: mailboxes.map(shownActor),
    actorMessages: mail.items.map((message) => shownMessage(message)),
    totals: shownTotals(totals),
    truncated:
      truncated ||
      kept.length < states.length ||
      published.items.length < totals.topicMessages ||
      mail.items.length < totals.mailboxMessages,
  }
}

function topicSource(reach: MeshReach, topic: TopicRecord): Source<TopicMessage> {
  return { updatedAt: topic.updatedAt, pages: topicPages(reach, topic) }
}

async function* topicPages(
  { topics }: MeshReach,
  { id, headSequence }: TopicRecord,
): AsyncGenerator<readonly TopicMessage[], void, void> {
  for (let before = headSequence + 1; before > 1;) {
    const page = await topics.tail(id, { limit: PAGE, before })
    if (page.length === 0) return
    yield page.toReversed()
    before = page[0]?.sequence ?? 0
  }
}

function mailboxSource(reach: MeshReach, mailbox: MailboxRecord): Source<MailboxMessage> {
  const { id, headSequence, updatedAt } = mailbox
  const from = { before: headSequence + 1, size: PAGE }
  return { updatedAt, pages: pagesBack(reach.mailboxes, id, from) }
}
