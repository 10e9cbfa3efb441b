/** Where a person finds the characters' own sessions in DSH web: named, and together in one workspace. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-session-title'
import type { Workspace } from '@deepseek-ai/dsh-workspace'
import z from '@deepseek-ai/schemastery'
import { displayName, runOfSession } from 'dsh-tavern-cast'

export const name = 'tavern-cast-sessions'
export const inject = ['cast', 'sessions', 'sessionTitle', 'workspaceRegistry']

export interface Config {
  /** The cast's folder: the working directory of every session of a character. */
  readonly folder: string
  /** The workspace's title. */
  readonly title: string
}

export const Config: z<Config> = z.object({
  folder: z.string().required(),
  title: z.string().default('Tavern'),
})

export function apply(ctx: Context, config: Config): void {
  const shelf = new Shelf(ctx, config)
  ctx.on('agent/created', ({ agent }) => {
    if (runOfSession(agent.session.id) === undefined) return
    shelf.add(agent).catch((error: unknown) => {
      ctx.logger.warn(`session ${agent.session.id} could not be listed: ${String(error)}`)
    })
  })
}

class Shelf {
  readonly #ctx: Context
  readonly #config: Config
  #last: Promise<unknown> = Promise.resolve()

  constructor(ctx: Context, config: Config) {
    this.#ctx = ctx
    this.#config = config
  }

  /** One at a time: of two at once, both would make the workspace. */
  async add(agent: Agent): Promise<void> {
    const adding = this.#last.then(() => this.#add(agent))
    this.#last = adding.catch(() => undefined) // this one's caller is told; the next one is not concerned
    await adding
  }

  /** A title that is there already, the person's own perhaps, stays. */
  async #add({ session }: Agent): Promise<void> {
    const title = await this.#titleOf(session.id)
    if (this.#ctx.sessions.get(session.id) !== session) return
    if (this.#ctx.sessionTitle.get(session) === undefined) {
      this.#ctx.sessionTitle.rename(session, title)
    }
    await (await this.#workspace()).attachSession(session.id)
  }

  async #titleOf(sessionId: string): Promise<string> {
    const actor = sessionId.slice(sessionId.lastIndexOf('.') + 1)
    const card = await this.#ctx.cast.cards.get(actor).catch(() => undefined)
    return `${card ? displayName(card) : actor}, ${runOfSession(sessionId)}`
  }

  async #workspace(): Promise<Workspace> {
    const { workspaceRegistry } = this.#ctx
    const { folder, title } = this.#config
    const found = await workspaceRegistry.resolveByPath(folder)
    if (found) return found
    const created = await workspaceRegistry.create(folder, title)
    await workspaceRegistry.insertBefore(created.id) // last: below what the person works in
    return created
  }
}
