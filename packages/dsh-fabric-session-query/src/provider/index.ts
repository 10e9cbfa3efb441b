/** `ctx.sessionQuery` as the host defines it, with a search that finds text of every script. */
import { type Context, Service } from '@deepseek-ai/cordis'
import { SessionId } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import {
  type SessionEventSearchPage,
  type SessionEventSearchRequest,
  SessionQueryEngine,
  type SessionSearchExecContext,
  type SessionSearchHit,
  type SessionSearchPage,
  type SessionSearchRequest,
} from '@deepseek-ai/dsh-session-query'
import { Config, resolved } from './config.ts'
import { SearchEngine } from './engine.ts'

export { Config } from './config.ts'

export default class FabricSessionQuery extends SessionQueryEngine {
  static override inject = ['sessions']
  static Config = Config

  readonly config: Required<Config>
  /** Not a `#` field: callers reach the service through the host's proxy of it. */
  private readonly engine: SearchEngine

  constructor(ctx: Context, config: Config) {
    const given = resolved(config)
    super(ctx, given)
    this.config = given
    let persistence: SessionPersistence | undefined
    ctx.inject(['sessionPersistence'], (inner) => {
      persistence = inner.sessionPersistence
      inner.effect(
        () => () => {
          persistence = undefined
        },
        'fabric-session-query.persistence',
      )
    })
    this.engine = new SearchEngine(given, {
      live: () => ctx.sessions.list(),
      isLive: (id) => ctx.sessions.get(SessionId(id)) !== undefined,
      persistence: () => persistence,
      report: (text) => ctx.logger('fabric-session-query').warn(text),
    })
    ctx.effect(() => () => this.engine.close(), 'fabric-session-query.close')
  }

  protected async [Service.init](): Promise<void> {
    if (this.config.openAt === 'startup') await this.engine.open()
  }

  override searchSessions(
    request: SessionSearchRequest,
    exec?: SessionSearchExecContext,
  ): Promise<SessionSearchPage<SessionSearchHit>> {
    return this.engine.searchSessions(request, exec)
  }

  override searchEvents(
    request: SessionEventSearchRequest,
    exec?: SessionSearchExecContext,
  ): Promise<SessionEventSearchPage> {
    return this.engine.searchEvents(request, exec)
  }
}
