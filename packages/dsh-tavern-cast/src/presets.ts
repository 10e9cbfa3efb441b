/** The host's presets at the size of a cast: one directory read per mount, and one shared base under every character. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import AgentPresets, { COMPOSITION_FILE, readPresetMetadata } from '@deepseek-ai/dsh-agent-presets'
import { bindScopeParent, type ScopeKey, scopeOf, scopeParentOf } from '@deepseek-ai/dsh-scope'

type Preset = Awaited<ReturnType<AgentPresets['resolve']>>

/** The composition every character stands on: its rows are mounted once, however many characters. */
export const basePreset = 'agent-tavern'

/** What makes a preset a character. */
export const cardFile = 'card.json'

export default class TavernPresets extends AgentPresets {
  private looking: Promise<ScopeKey> | undefined

  /** Looks in the preset's own directory; whatever is unusual there, the stock roster answers for. */
  override async resolve(id?: string): Promise<Preset> {
    const wanted = id ?? this.defaultId
    if (!/^[a-z0-9][a-z0-9-]*$/.test(wanted)) return await super.resolve(wanted)
    for (const root of this.roots) {
      const path = join(resolve(root.path), wanted, COMPOSITION_FILE)
      if (isFile(path)) {
        return { id: wanted, trust: root.trust, path, ...(await readPresetMetadata(dirname(path))) }
      }
      if (existsSync(dirname(path))) break
    }
    return await super.resolve(wanted)
  }

  /** agent → character preset → base. Refuses a session whose run another process hosts. */
  override async mount(agentCtx: Context, id?: string): Promise<Preset> {
    const sessionId = agentCtx.agent?.session.id
    if (sessionId !== undefined) this.ctx.get('cast')?.requireHost(sessionId)
    const preset = await super.mount(agentCtx, id)
    if (isFile(join(dirname(preset.path), cardFile))) await this.standOnBase(agentCtx)
    return preset
  }

  private async standOnBase(agentCtx: Context): Promise<void> {
    const scope = scopeOf(agentCtx)
    const key = scope && scopeParentOf(scope)
    if (key === undefined || scopeParentOf(key) !== undefined) return
    const base = await this.baseKey()
    if (scopeParentOf(key) === undefined) bindScopeParent(key, base)
  }

  /** Characters that enter together look for their base once. */
  private async baseKey(): Promise<ScopeKey> {
    this.looking ??= this.standingKeyFor(basePreset).finally(() => {
      this.looking = undefined
    })
    return await this.looking
  }
}

/** Synchronous: a look at one path takes microseconds, its way through the thread pool a multiple of that. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
