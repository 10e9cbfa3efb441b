/** The host's sessions and logs in this process with one of the two search services over them. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import LlmRuntime, { createUserMessage } from '@deepseek-ai/dsh-llm'
import SessionStore, { type Session, SessionId } from '@deepseek-ai/dsh-session'
import JsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import type { SessionQueryEngine } from '@deepseek-ai/dsh-session-query'
import HostSessionQuery from '@deepseek-ai/dsh-session-query-sqlite'
import FabricSessionQuery, { type Config } from 'dsh-fabric-session-query/provider'
import { onTestFinished } from 'vitest'

export const engines = { host: HostSessionQuery, fabric: FabricSessionQuery } as const
export type Engine = keyof typeof engines

export interface Bed {
  readonly ctx: Context
  readonly home: string
  readonly query: SessionQueryEngine
  /** A live session with these things said in it. */
  session(id: string, said: readonly string[], options?: SessionOptions): Promise<Live>
  /** The same, written to its log and gone from this process. */
  stored(id: string, said: readonly string[], options?: SessionOptions): Promise<void>
  close(): Promise<void>
}

export interface SessionOptions {
  readonly cwd?: string
  readonly parent?: string
}

export interface Live {
  readonly session: Session
  say(text: string): void
  leave(): Promise<void>
}

export interface BedOptions {
  readonly engine?: Engine
  readonly home?: string
  readonly config?: Partial<Config>
  readonly persistence?: boolean
}

export async function openBed(options: BedOptions = {}): Promise<Bed> {
  const { engine = 'fabric', home = newFolder(), config, persistence = true } = options
  const ctx = new Context()
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  if (persistence) await ctx.plugin(JsonlPersistence, { root: join(home, 'sessions') })
  const path = join(home, 'index', `${engine}.sqlite`)
  await ctx.plugin(engines[engine], { path, openAt: 'first-search', ...config })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= ctx.fiber.dispose())
  onTestFinished(close)
  const bed: Bed = {
    ctx,
    home,
    query: ctx.sessionQuery,
    close,
    session: (id, said, given) => live(ctx, { id, said, ...given }),
    async stored(id, said, given) {
      await (await bed.session(id, said, given)).leave()
    },
  }
  return bed
}

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'session-query-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Ids of the sessions that are found, best first. */
export async function found(bed: Bed, query: string): Promise<readonly string[]> {
  const page = await bed.query.searchSessions({ query, limit: 100 })
  return page.items.map(({ header }) => header.id)
}

/** The closed code with which a call is refused. */
export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
}

async function live(
  ctx: Context,
  given: SessionOptions & { readonly id: string; readonly said: readonly string[] },
): Promise<Live> {
  const { id, said, cwd = '/inn', parent } = given
  const entered = Promise.withResolvers<Session>()
  const fiber = ctx.plugin({
    name: `session ${id}`,
    inject: ['sessions'],
    apply(inner: Context) {
      const meta = { cwd, ...(parent === undefined ? {} : { parentSession: SessionId(parent) }) }
      entered.resolve(inner.sessions.create(SessionId(id), { meta }))
    },
  })
  await fiber
  const opened = await entered.promise
  const say = (text: string) => {
    const content = [{ type: 'text' as const, text }]
    opened.append('user/message', createUserMessage({ content, source: { kind: 'user' } }), {
      surfaceOp: 'append',
    })
  }
  for (const text of said) say(text)
  return {
    session: opened,
    say,
    async leave() {
      await ctx.sessions.flush(opened)
      await fiber.dispose()
    },
  }
}
