/** The two searches over one index: one at a time, each over what the logs hold now. */
import { randomUUID } from 'node:crypto'
import { type SessionEventType, SessionId } from '@deepseek-ai/dsh-session'
import {
  type SessionEventSearchHit,
  type SessionEventSearchPage,
  type SessionEventSearchRequest,
  type SessionEventSurface,
  SessionQueryError,
  type SessionSearchExecContext,
  type SessionSearchHit,
  type SessionSearchPage,
  type SessionSearchRequest,
} from '@deepseek-ai/dsh-session-query'
import { excerptOf } from '../excerpt.ts'
import type { Config } from './config.ts'
import { Corpus, type Observation, type Sources, targetOf } from './corpus.ts'
import { type CursorBinding, cursorAt, offsetOf } from './cursor.ts'
import { type Index, openIndex, patiently } from './database.ts'
import { assertNotAborted, failureOf, indexFailed } from './failure.ts'
import { Line } from './line.ts'
import { eventSearch, identityOf, type Search, sessionSearch } from './request.ts'
import { find, type Row } from './search.ts'

export class SearchEngine {
  readonly #config: Required<Config>
  readonly #instance = randomUUID()
  readonly #corpus: Corpus
  readonly #line = new Line()
  #index: Promise<Index> | undefined
  #closing: Promise<void> | undefined

  constructor(config: Required<Config>, sources: Sources) {
    this.#config = config
    this.#corpus = new Corpus(sources)
  }

  async open(): Promise<void> {
    await this.#open()
  }

  async searchSessions(
    request: SessionSearchRequest,
    exec?: SessionSearchExecContext,
  ): Promise<SessionSearchPage<SessionSearchHit>> {
    this.#assertEnabled()
    const search = sessionSearch(request, this.#config)
    return await this.#searching(exec?.signal, ({ db }, { visible, generation }) => {
      const binding = this.#binding(search, generation)
      const offset = offsetOf(search.cursor, binding)
      const rows = find(db, search, { visible, offset })
      return this.#page({ rows, search, binding, offset }, (row, hit) => ({
        header: JSON.parse(row.header),
        live: row.live,
        persisted: row.persisted,
        bestMatch: hit,
      }))
    })
  }

  async searchEvents(
    request: SessionEventSearchRequest,
    exec?: SessionSearchExecContext,
  ): Promise<SessionEventSearchPage> {
    this.#assertEnabled()
    const search = eventSearch(request, this.#config)
    return await this.#searching(exec?.signal, ({ db }, { visible }) => {
      const target = targetOf(db, request.sessionId, visible)
      if (target === undefined) throw notFound(request.sessionId)
      if (target.fault !== undefined) throw corrupt(request.sessionId, target.fault)
      const binding = this.#binding(search, target.generation)
      const offset = offsetOf(search.cursor, binding)
      const rows = find(db, search, { visible, offset })
      const page = this.#page({ rows, search, binding, offset }, (_row, hit) => hit)
      return { session: target.header, ...page }
    })
  }

  /** After what was begun; later searches are refused. */
  close(): Promise<void> {
    this.#closing ??= this.#line.end().then(async () => {
      const index = await this.#index?.catch(() => undefined)
      index?.db.close()
    })
    return this.#closing
  }

  async #searching<Result>(
    signal: AbortSignal | undefined,
    answer: (index: Index, observation: Observation) => Result,
  ): Promise<Result> {
    return await this.#line.enter(signal, async () => {
      const index = await this.#open()
      try {
        return await patiently(() => this.#observed(index, signal, answer))
      } catch (error) {
        if (failureOf(error) !== 'damaged') throw told(error)
      }
      const renewed = await this.#renew(index)
      try {
        return await patiently(() => this.#observed(renewed, signal, answer))
      } catch (error) {
        throw told(error)
      }
    })
  }

  async #observed<Result>(
    index: Index,
    signal: AbortSignal | undefined,
    answer: (index: Index, observation: Observation) => Result,
  ): Promise<Result> {
    assertNotAborted(signal)
    const observation = await this.#corpus.observe(index.db, signal)
    assertNotAborted(signal)
    return answer(index, observation)
  }

  async #open(): Promise<Index> {
    this.#index ??= openIndex(this.#config)
    try {
      return await this.#index
    } catch (error) {
      this.#index = undefined
      throw indexFailed('index failed to open', error)
    }
  }

  async #renew({ db, file }: Index): Promise<Index> {
    db.close()
    this.#index = openIndex(this.#config, file)
    return await this.#open()
  }

  #binding(search: Search, generation: string): CursorBinding {
    return { instance: this.#instance, identity: identityOf(search), generation }
  }

  #page<Hit>(
    found: {
      readonly rows: readonly Row[]
      readonly search: Search
      readonly binding: CursorBinding
      readonly offset: number
    },
    hitOf: (row: Row, hit: SessionEventSearchHit) => Hit,
  ): SessionSearchPage<Hit> {
    const { rows, search, binding, offset } = found
    const items = rows
      .slice(0, search.limit)
      .map((row) => hitOf(row, this.#eventHit(row, search.query)))
    if (rows.length <= search.limit) return { items }
    return { items, nextCursor: cursorAt(binding, offset + search.limit) }
  }

  #eventHit(row: Row, query: string): SessionEventSearchHit {
    const { sessionId, seq, type, time, surface, text } = row
    return {
      sessionId: SessionId(sessionId),
      seq,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written from an event
      type: type as SessionEventType,
      time,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written from a record
      surface: surface as SessionEventSurface,
      snippet: excerptOf({ text, query, limit: this.#config.snippetChars }),
    }
  }

  #assertEnabled(): void {
    if (this.#config.openAt !== 'never') return
    throw new SessionQueryError(
      'session search is disabled: the session-query row has openAt "never"',
      'SESSION_QUERY_SEARCH_DISABLED',
    )
  }
}

function notFound(id: string): SessionQueryError {
  return new SessionQueryError(`session "${id}" not found`, 'SESSION_QUERY_SESSION_NOT_FOUND')
}

function corrupt(id: string, fault: string): SessionQueryError {
  return new SessionQueryError(
    `stored session "${id}" is corrupt: ${fault}`,
    'SESSION_QUERY_CORRUPT_SESSION',
  )
}

function told(error: unknown): unknown {
  return error instanceof SessionQueryError ? error : indexFailed('index failed', error)
}
