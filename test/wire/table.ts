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
  /** Of everyone; 0: only who is named speaks. Absent: as the scene has it. */
  readonly talkativeness?: number
  /** Keys of the scene that are not as its author wrote them. */
  readonly scene?: object
  readonly retry?: boolean
  /** A home that was left before; a new one otherwise. */
  readonly home?: string
  readonly withoutKeys?: boolean
}

export interface Table {
  readonly ctx: Context
  readonly scene: OpenScene
  readonly home: string
  /** Stops the host, once; `keep` leaves the home for another. */
  leave(keep?: 'keep'): Promise<void>
}

const SCENE = 'glass-ledger'

export async function sitDown(options: TableOptions): Promise<Table> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'wire-'))
  const restore = setEnvironment({
    DSH_HOME: home,
    DEEPSEEK_BASE_URL: options.baseUrls.deepseek,
    DEEPSEEK_API_KEY: options.withoutKeys ? undefined : keys.deepseek,
    SHOAL_KEY: options.withoutKeys ? undefined : keys.openai,
  })
  writeFileSync(join(home, 'settings.yaml'), JSON.stringify(settingsOf(options), null, 2))
  const scenes = join(home, 'own-scenes')
  const ctx = await boot({ home, retry: options.retry ?? false, sceneRoots: [scenes] })
  await writeScene(ctx, scenes, options)
  let leaving: Promise<void> | undefined
  return {
    ctx,
    home,
    scene: await ctx.scenes.open(SCENE),
    leave: async (keep) => {
      leaving ??= ctx.fiber.dispose().then(restore)
      await leaving
      if (!keep) rmSync(home, { recursive: true, force: true })
    },
  }
}

/** The shipped scene with every character's route in it, before the shipped one in order. */
async function writeScene(ctx: Context, root: string, options: TableOptions): Promise<void> {
  const { id, ...shipped } = await ctx.scenes.read(SCENE)
  const { routes, talkativeness } = options
  const cast = shipped.cast.map((member) => ({
    ...member,
    ...routes[member.character],
    ...(talkativeness === undefined ? {} : { talkativeness }),
  }))
  mkdirSync(join(root, id), { recursive: true })
  const definition = { ...shipped, cast, ...options.scene }
  writeFileSync(join(root, id, 'scene.yml'), JSON.stringify(definition))
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

/** Undefined removes; the answer puts back what was there. */
function setEnvironment(values: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]))
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  return () => void setEnvironment(before)
}
