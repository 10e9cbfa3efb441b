/** The host row that starts delegated sessions, owns them while the host runs, and reports their end when asked to. */
import { randomUUID } from 'node:crypto'
import { type Context, Service } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-agent-presets'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type {} from '@deepseek-ai/dsh-sandbox-policy'
import { type SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import { fallbackSessionTitle } from '@deepseek-ai/dsh-session-title'
import { finalAssistantOutput } from '@deepseek-ai/dsh-subagent'
import type {} from '@deepseek-ai/dsh-user-approval'
import type {} from '@deepseek-ai/dsh-workspace'
import { delegatedRoute } from './delegated-route.ts'
import type { Delegation, DelegationRequest, Delegations, Route } from './delegation.ts'

const TITLE_WORDS = 8
const TITLE_BYTES = 80

export default class SessionDelegations extends Service implements Delegations {
  static readonly inject = ['agents', 'agentPresets', 'llm', 'sessions']

  private readonly host: Context

  constructor(ctx: Context) {
    super(ctx, 'delegations')
    this.host = ctx
  }

  /**
   * A session beside the parent's and none below it: a person finds it in the list and goes on with it,
   * and its end wakes nobody. The host's subagents always wake their parent.
   */
  async start(request: DelegationRequest): Promise<Delegation> {
    const { parent, prompt } = request
    const seed = request.fork ? finishedTurns(parent) : []
    if (request.fork && seed.length === 0) {
      const reason = 'nothing to fork: this session has no finished turn yet'
      return { status: 'refused', code: 'nothing-to-fork', reason }
    }
    const choice = await delegatedRoute(this.host.llm, request)
    if (choice.status === 'refused') return choice
    const { route } = choice
    const child = await this.create(parent, seed, route)
    const title = fallbackSessionTitle(prompt, TITLE_WORDS, TITLE_BYTES)
    if (title !== '') this.host.get('sessionTitle')?.rename(child.session, title)
    await this.list(parent, child).catch((error: unknown) => {
      this.host.logger.warn(`session '${child.id}' is in no workspace: ${String(error)}`)
    })
    child.followup(userMessage(prompt))
    if (request.report) this.reportEnd(parent.id, child, title)
    return { status: 'started', sessionId: child.session.id, title, route }
  }

  private async create(parent: Agent, seed: readonly SessionEvent[], route: Route): Promise<Agent> {
    const { cwd, id } = parent.session.header
    const { agentPresets } = this.host
    const preset = agentPresets.composedPreset(parent.ctx)
    const policies = policiesOf(parent)
    const { agent } = await this.host.agents.create({
      sessionId: SessionId(`session-${randomUUID()}`),
      meta: {
        parentSession: id,
        ...(cwd === undefined ? {} : { cwd }),
        ...(preset === undefined ? {} : { agentPreset: preset }),
        ...(seed.length > 0 ? { seedLength: seed.length } : {}),
      },
      ...(seed.length > 0 ? { seed } : {}),
      agentOptions: { ...route },
      setup: async (ctx) => {
        policies(ctx)
        beginWith(ctx, route)
        if (preset !== undefined) await agentPresets.mount(ctx, preset)
      },
    })
    return agent
  }

  /** On disk, and in the workspace of the parent where the host has workspaces. */
  private async list(parent: Agent, { session }: Agent): Promise<void> {
    await this.host.sessions.flush(session)
    const workspaces = this.host.get('workspaceRegistry')?.list() ?? []
    const workspace = workspaces.find(({ sessionIds }) => sessionIds.includes(parent.session.id))
    await workspace?.attachSession(session.id)
  }

  private reportEnd(parentId: SessionId, child: Agent, title: string): void {
    const after = child.session.events.length
    child
      .whenIdle()
      .then(() => {
        const summary = `Delegated session "${title}" has ended its turn.`
        const output = finalAssistantOutput(child.session.events.slice(after)) ?? []
        const parent = this.host.agents.get(parentId)
        parent?.followup(
          createUserMessage({
            content: [{ type: 'text', text: `${summary} Its last message:` }, ...output],
            source: {
              kind: 'subagent-settled',
              form: 'notice',
              summary,
              senderSessionId: child.session.id,
            },
          }),
        )
      })
      .catch((error: unknown) => {
        this.host.logger.warn(`the end of '${child.session.id}' was not reported: ${String(error)}`)
      })
  }
}

function finishedTurns({ session }: Agent): readonly SessionEvent[] {
  const end = session.events.findLast(({ type }) => type === 'turn/end')
  return end ? session.events.slice(0, end.seq + 1) : []
}

/** The child may do what its parent may do now, and no more. */
function policiesOf(parent: Agent): (ctx: Context) => void {
  const mode = parent.ctx.get('sandboxPolicy')?.overrideOf(parent.session)
  const policy = parent.ctx.get('approval')?.overrideOf(parent.session)
  return ({ agent }) => {
    if (mode !== undefined) agent?.session.append('sandbox/mode', { mode, source: 'delegation' })
    if (policy !== undefined) {
      agent?.session.append('approval/policy', { policy, source: 'delegation' })
    }
  }
}

/** Its first request goes to this model, whatever the host would choose for a session without one; later a person chooses. */
function beginWith(ctx: Context, route: Route): void {
  const dispose = ctx.on('agent/request', async (_request, next) => {
    const { reasoningEffort: _others, ...config } = await next()
    dispose()
    return { ...config, ...route }
  })
}

function userMessage(text: string) {
  return createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } })
}
