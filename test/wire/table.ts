/** The real composition in a home of its own, wired to the local provider under both protocols. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { boot } from 'dsh-tavern-cli'
import type { CharacterId, RequestOutcome, Route } from 'dsh-tavern-protocol'
import type { OpenScene, Submitted } from 'dsh-tavern-scene'
import type {} from 'dsh-tavern-scene'
import type { Protocol } from './chat.ts'

/** Never said to anybody but the server it belongs to. */
export const keys: Readonly<Record<Protocol, string>> = {
  deepseek: 'sk-tide-4b1c9f27a6d84e3f',
  openai: 'sk-local-77e0d5c2b19a4f68',
}

export type FullRoute = Required<Route>
export const flash: FullRoute = { provider: 'deepseek-official', model: 'deepseek-v4-flash' }
export const pro: FullRoute = { provider: 'deepseek-official', model: 'deepseek-v4-pro' }
export const small: FullRoute = { provider: 'local', model: 'shoal-8b' }
export const large: FullRoute = { provider: 'local', model: 'shoal-70b' }

export interface TableOptions {
  readonly baseUrls: Readonly<Record<Protocol, string>>
  /** Each character's own model, as the scene's author writes it. */
  readonly routes: Readonly<Record<CharacterId, FullRoute>>
  /** Settings of both providers, beside those that are needed. */
  readonly settings?: object
  readonly retry?: boolean
}

export interface Table {
  readonly ctx: Context
  readonly scene: OpenScene
  leave(): Promise<void>
}

const SCENE = 'glass-ledger'

export async function sitDown(options: TableOptions): Promise<Table> {
  const home = mkdtempSync(join(tmpdir(), 'wire-'))
  const restore = setEnvironment({
    DSH_HOME: home,
    DEEPSEEK_API_KEY: keys.deepseek,
    DEEPSEEK_BASE_URL: options.baseUrls.deepseek,
    SHOAL_KEY: keys.openai,
  })
  writeFileSync(join(home, 'settings.yaml'), JSON.stringify(settingsOf(options)))
  const scenes = join(home, 'own-scenes')
  const ctx = await boot({ home, retry: options.retry ?? false, sceneRoots: [scenes] })
  const { id, ...definition } = await ctx.scenes.read(SCENE)
  const cast = definition.cast.map((member) => ({ ...member, ...options.routes[member.character] }))
  mkdirSync(join(scenes, id), { recursive: true })
  writeFileSync(join(scenes, id, 'scene.yml'), JSON.stringify({ ...definition, cast }))
  return {
    ctx,
    scene: await ctx.scenes.open(id),
    leave: async () => {
      await ctx.fiber.dispose()
      restore()
      rmSync(home, { recursive: true })
    },
  }
}

/** Every turn is settled, and settled as an answer, not because the scene was closed. */
export async function outcomeOf(submitted: Promise<Submitted>): Promise<RequestOutcome> {
  const outcome = await (await submitted).outcome
  if (!outcome) throw new Error('the scene was closed before the request was settled')
  return outcome
}

function settingsOf({ baseUrls, settings }: TableOptions): object {
  const model = { contextWindow: 128_000, maxTokens: 1000 }
  return {
    'llm-pi-ai': {
      providers: {
        local: {
          displayName: 'Shoal',
          api: 'openai-completions',
          baseURL: baseUrls.openai,
          apiKeyEnv: 'SHOAL_KEY',
          models: [
            { id: small.model, ...model },
            { id: large.model, ...model },
          ],
          ...settings,
        },
      },
    },
    ...(settings ? { 'llm-deepseek': settings } : {}),
  }
}

function setEnvironment(values: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, values)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
