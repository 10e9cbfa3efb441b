/** The scene as one character may read it: the beats that all on stage heard while it was there, as a topic of its own. */
import type { Topics } from 'dsh-fabric-mesh'
import { asJson, type TopicMessage, type TopicRecord } from 'dsh-fabric-protocol'
import type { Beat, ParticipantId, PlacedBeat } from 'dsh-tavern-protocol'
import type { Run } from './run.ts'

export const SCENE_TOPIC = 'scene'
const PAGE = 500

export type ReadableTopic = Pick<Topics, 'find' | 'read' | 'tail' | 'watch'>

/**
 * Its sequence counts only what is in it, and its messages have ids of their own: neither tells how much was said that
 * is not. Of a beat it has who said what, nothing else.
 */
export class PublicBeats implements ReadableTopic {
  readonly #run: Run
  readonly #hearer: ParticipantId
  /** The run's sequence of each message, by position. */
  readonly #places: number[] = []
  #seen = 0
  #newest: number | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(run: Run, hearer: ParticipantId) {
    this.#run = run
    this.#hearer = hearer
  }

  async find(): Promise<TopicRecord> {
    await this.#look()
    const { workspace, topicId } = this.#run
    const createdAt = (await workspace.topics.find(topicId))?.createdAt ?? 0
    return {
      id: SCENE_TOPIC,
      label: SCENE_TOPIC,
      by: 'narrator',
      createdAt,
      updatedAt: this.#newest ?? createdAt,
      headSequence: this.#places.length,
    }
  }

  async read(
    _topicId: string,
    { after = 0, limit = 100 }: { readonly after?: number; readonly limit?: number } = {},
  ): Promise<readonly TopicMessage[]> {
    await this.#look()
    return await this.#between(after, Math.min(after + limit, this.#places.length))
  }

  async tail(
    _topicId: string,
    { limit = 100, before }: { readonly limit?: number; readonly before?: number } = {},
  ): Promise<readonly TopicMessage[]> {
    await this.#look()
    const end = Math.min((before ?? Infinity) - 1, this.#places.length)
    return await this.#between(Math.max(0, end - limit), end)
  }

  async *watch(
    topicId: string,
    { after, signal }: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncGenerator<TopicMessage, void, void> {
    let cursor = after
    const { workspace, topicId: source } = this.#run
    for (;;) {
      for (const message of await this.read(topicId, { after: cursor, limit: PAGE })) {
        if (signal.aborted) return
        yield message
        cursor = message.sequence
      }
      if (cursor < this.#places.length) continue
      await anyOf(workspace.topics.watch(source, { after: this.#seen, signal }))
      if (signal.aborted) return
    }
  }

  /** Messages by position, from `start` to before `end`. */
  async #between(start: number, end: number): Promise<readonly TopicMessage[]> {
    const wanted = this.#places.slice(start, Math.max(start, end))
    const [first, last] = [wanted[0], wanted.at(-1)]
    if (first === undefined || last === undefined) return []
    const places = new Map(wanted.map((place, index) => [place, start + index + 1]))
    const found: TopicMessage[] = []
    for (let after = first - 1; after < last;) {
      const page = await this.#run.read(after, Math.min(PAGE, last - after))
      for (const placed of page) {
        const sequence = places.get(placed.sequence)
        if (sequence !== undefined) found.push(publicMessage(placed, sequence))
      }
      after = page.at(-1)?.sequence ?? last
    }
    return found
  }

  /** One look at a time; each sees what was published before it was asked for. */
  #look(): Promise<void> {
    this.#looking = this.#looking.then(
      () => this.#catchUp(),
      () => this.#catchUp(),
    )
    return this.#looking
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const page = await this.#run.read(this.#seen, PAGE)
      for (const { sequence, at, beat } of page) {
        this.#seen = sequence
        if (!isPublic(beat, this.#hearer)) continue
        this.#places.push(sequence)
        this.#newest = at
      }
      if (page.length < PAGE) return
    }
  }
}

/** A silent change of the world is no word of anybody: what came of it is in the world, for those who know of it. */
function isPublic(beat: Beat, hearer: ParticipantId): boolean {
  if (beat.kind === 'world' || beat.kind === 'whisper') return false
  return beat.audience.kind === 'everyone' && beat.heardBy.includes(hearer)
}

function publicMessage({ at, beat }: PlacedBeat, sequence: number): TopicMessage {
  const { kind, author, text } = beat
  return {
    topicId: SCENE_TOPIC,
    sequence,
    id: `beat-${sequence}`,
    payload: asJson({ kind, author, text }),
    by: author.id,
    publishedAt: at,
  }
}

/** Resolves once there is one, or there will be none. */
async function anyOf(messages: AsyncIterable<TopicMessage>): Promise<void> {
  const watched = messages[Symbol.asyncIterator]()
  await watched.next()
  await watched.return?.()
}
