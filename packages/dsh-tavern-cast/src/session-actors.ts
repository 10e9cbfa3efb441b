/** The sessions of this process's actors: created on first entrance, resumed later, never twice. */
import { existsSync } from 'node:fs'
import type { Context } from '@deepseek-ai/cordis'
import type { AgentHandle } from '@deepseek-ai/dsh-agent'
import { resolveSessionPreset } from '@deepseek-ai/dsh-agent-presets'
import { SESSION_FORMAT_VERSION, type SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import { SessionActor, STEPS_PER_CUE } from './session-actor.ts'

export interface ActorRequest {
  readonly sessionId: string
  readonly preset: string
  readonly provider: string
  readonly model: string
  /** What stands in the place of an attempt that did not count. */
  readonly note: string
  /** Tools of its preset that it is not offered. */
  readonly without?: readonly string[]
  /** The log a new session begins with. */
  seed?(): readonly SessionEvent[]
}

export class SessionActors {
  readonly #ctx: Context
  /** Absolute and the same at every start: it is part of where a session's log lies. */
  readonly #cwd: string
  readonly #actors = new Map<string, Promise<SessionActor>>()

  constructor(ctx: Context, cwd: string) {
    this.#ctx = ctx
    this.#cwd = cwd
    ctx.on('session/event', (session, event) => {
      this.#live.get(session.id)?.observe(event)
    })
    // one that a client held and let go is opened again at its next cue
    ctx.on('agent/disposed', ({ agent }) => {
      if (this.#live.get(agent.id)?.agent === agent) this.#forget(agent.id)
    })
    ctx.on('agent/request', async ({ agent }, next) => {
      const config = await next()
      const attempt = this.#live.get(agent.session.id)?.attempt
      return attempt ? { ...config, provider: attempt.provider, model: attempt.model } : config
    })
    ctx.on('agent/pre-step', async ({ agent, step }, next) => {
      const isOurs = this.#live.get(agent.session.id)?.attempt !== undefined
      return isOurs && step > STEPS_PER_CUE ? { kind: 'reject' } : await next()
    })
  }

  readonly #live = new Map<string, SessionActor>()

  /** The live actor of a session id, undefined for sessions that are not ours or not on stage. */
  find(sessionId: string): SessionActor | undefined {
    return this.#live.get(sessionId)
  }

  /** The one actor of this session: live, resumed from its log, or new. */
  async open(request: ActorRequest): Promise<SessionActor> {
    const opening = this.#actors.get(request.sessionId) ?? this.#start(request)
    this.#actors.set(request.sessionId, opening)
    try {
      return await opening
    } catch (error) {
      if (this.#actors.get(request.sessionId) === opening) this.#actors.delete(request.sessionId)
      throw error
    }
  }

  async close(sessionId: string): Promise<void> {
    const opening = this.#actors.get(sessionId)
    const actor = await opening?.catch(() => undefined) // what failed to open is not there to close
    if (this.#actors.get(sessionId) === opening) this.#forget(sessionId)
    await actor?.dispose()
  }

  #forget(sessionId: string): void {
    this.#actors.delete(sessionId)
    this.#live.delete(sessionId)
  }

  async #start(request: ActorRequest): Promise<SessionActor> {
    const stored = this.#isStored(request.sessionId)
    const handle = stored ? await this.#take(request) : await this.#create(request)
    const actor = new SessionActor(this.#ctx, handle, request.note)
    this.#live.set(request.sessionId, actor)
    try {
      if (stored) await actor.recover()
      return actor
    } catch (error) {
      this.#live.delete(request.sessionId)
      await handle.dispose()
      throw error
    }
  }

  async #create(request: ActorRequest): Promise<AgentHandle> {
    const { preset, provider, model } = request
    const seed = request.seed?.()
    return await this.#ctx.agents.create({
      sessionId: SessionId(request.sessionId),
      meta: { cwd: this.#cwd, agentPreset: preset },
      agentOptions: { provider, model },
      ...(seed ? { seed } : {}),
      setup: async (agentCtx) => {
        await this.#ctx.agentPresets.mount(agentCtx, preset)
        withhold(agentCtx, request)
      },
    })
  }

  /** A person who looked at this session in a client made it live already: then it is that one, and not ours to dispose. */
  async #take(request: ActorRequest): Promise<AgentHandle> {
    const live = () => this.#ctx.agents.get(SessionId(request.sessionId))
    const agent = live()
    if (agent) return { agent, dispose: async () => {} }
    try {
      return await this.#resume(request)
    } catch (error) {
      const meanwhile = live()
      if (!meanwhile) throw error
      return { agent: meanwhile, dispose: async () => {} }
    }
  }

  async #resume(request: ActorRequest): Promise<AgentHandle> {
    const { provider, model } = request
    return await this.#ctx.agents.resume({
      resumeSessionId: SessionId(request.sessionId),
      agentOptions: { provider, model },
      setup: async (agentCtx) => {
        const session = agentCtx.agent?.session
        const preset = session ? resolveSessionPreset(session) : undefined
        await this.#ctx.agentPresets.mount(agentCtx, preset ?? request.preset)
        withhold(agentCtx, request)
      },
    })
  }

  /** A session exists once its log does; one that died before its first flush never was. */
  #isStored(sessionId: string): boolean {
    const location = this.#ctx.sessionPersistence.locate({
      version: SESSION_FORMAT_VERSION,
      id: SessionId(sessionId),
      createdAt: 0,
      cwd: this.#cwd,
    })
    if (!location) return false
    return existsSync(location.path)
  }
}

function withhold(agentCtx: Context, { without = [] }: ActorRequest): void {
  if (without.length > 0) agentCtx.tools.restrict({ deny: without })
}
