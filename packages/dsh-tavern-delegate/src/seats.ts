/** Which sessions are seats, and the scene each of them plays. */
import type { Context } from '@deepseek-ai/cordis'
import { type Agent, assembleContextFor } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-agent-presets'
import type { LlmCallConfig } from '@deepseek-ai/dsh-llm'
import type {} from '@deepseek-ai/dsh-system-prompt'
import { stageProvider } from 'dsh-tavern-scene'

export interface SeatRule {
  /** The preset whose sessions are seats whatever model they have. */
  readonly preset: string
  /** The scene of a seat for which none was chosen. */
  readonly scene: string
}

export class Seats {
  readonly #ctx: Context
  readonly #rule: SeatRule

  constructor(ctx: Context, rule: SeatRule) {
    this.#ctx = ctx
    this.#rule = rule
  }

  /** The scene this session plays: the one chosen as its model, else its last, else the default; undefined when it is no seat. */
  async sceneOf(agent: Agent): Promise<string | undefined> {
    const { provider, model } = await this.#chosen(agent)
    if (provider === stageProvider && model !== undefined) return model
    return lastScene(agent) ?? (this.#isSeat(agent) ? this.#rule.scene : undefined)
  }

  /** A seat's request goes to its scene, also when another model was chosen for its session. */
  routed(agent: Agent, config: LlmCallConfig): LlmCallConfig {
    if (config.provider === stageProvider || !this.#isSeat(agent)) return config
    const { reasoningEffort: _others, ...rest } = config
    return { ...rest, provider: stageProvider, model: lastScene(agent) ?? this.#rule.scene }
  }

  #isSeat(agent: Agent): boolean {
    return this.#ctx.agentPresets.composedPreset(agent.ctx) === this.#rule.preset
  }

  /** A model picked before the first line is in no log yet; the host tells it to prompt assembly alone. */
  async #chosen(agent: Agent): Promise<Readonly<Record<string, string | undefined>>> {
    return (await this.#ctx.systemPrompt.assemble(assembleContextFor(agent))).variables
  }
}

/** The scene of the last request in the session's log. */
function lastScene({ session }: Agent): string | undefined {
  const config = session.requestHeader()?.config
  return config?.provider === stageProvider ? config.model : undefined
}
