/** `tavern cast-host`: hosts characters of a scene, or its narrator, on this machine until it is stopped. */
import type { Context } from '@deepseek-ai/cordis'
import { MeshError } from 'dsh-fabric-mesh'
import { storeFailed } from 'dsh-tavern-cast'
import { narratorId, type Scene } from 'dsh-tavern-protocol'
import { type OpenScene, type Role, SceneError, type StoredRun } from 'dsh-tavern-scene'
import { boot } from './boot.ts'
import { tellOfMesh } from './company-notes.ts'
import { exitCodes } from './exit.ts'
import type { MeshAddress } from './mesh-address.ts'
import { json as jsonText, printable } from './printable.ts'
import { Interrupted, interruptSignal } from './stopping.ts'
import { traceRequests } from './trace.ts'

export interface CastHostOptions {
  readonly home: string
  readonly scene: string
  readonly mesh: MeshAddress
  readonly characters: readonly string[]
  readonly narrator: boolean
  readonly name?: string
  readonly leaseMs?: number
  readonly provider?: string
  readonly model?: string
  readonly json: boolean
  readonly trace?: string
  readonly pace: number
}

/** One line for people, or one object for programs. */
type Say = (event: string, text: string, facts?: Readonly<Record<string, unknown>>) => void

/** Before a scene whose store failed is opened again. */
const PAUSE_MS = 1000

/** The exit code: 128 and the signal's number once one stopped it; its claims then wait for its next start. */
export async function castHost(options: CastHostOptions): Promise<number> {
  const interrupted = interruptSignal()
  const { signal } = interrupted
  const say = sayer(options.json)
  try {
    return await hostOn(await reach(options, { say, signal }), options, { say, signal })
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    say('stopped', 'Stopped. What is owed here waits for the next start.')
    return error.exitCode
  } finally {
    interrupted.dispose()
  }
}

async function hostOn(ctx: Context, options: CastHostOptions, hosting: Hosting): Promise<number> {
  try {
    if (options.trace !== undefined) traceRequests(ctx, options.trace)
    tellOfMesh(ctx, (text) => hosting.say('mesh', text))
    return await hostRuns(ctx, options, hosting)
  } finally {
    await ctx.scenes.leave()
    await ctx.fiber.dispose()
  }
}

/** A mesh that is not there yet is waited for. */
async function reach(options: CastHostOptions, { say, signal }: Hosting): Promise<Context> {
  const { home, mesh, name, leaseMs, pace } = options
  const hosting = { ...(name ? { hostName: name } : {}), ...(leaseMs ? { leaseMs } : {}) }
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted()
    try {
      return await boot({ home, mesh, pace, ...hosting })
    } catch (error) {
      const isAway = error instanceof MeshError && error.code === 'store-unavailable'
      if (!isAway) throw error
      if (isFirst) say('mesh', `${error.message}. Trying again until it answers.`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

interface Hosting {
  readonly say: Say
  readonly signal: AbortSignal
}

/** Run after run of the scene, as they are begun. */
async function hostRuns(ctx: Context, options: CastHostOptions, hosting: Hosting): Promise<number> {
  const { say, signal } = hosting
  const roles: readonly Role[] = [...(options.narrator ? [narratorId] : []), ...options.characters]
  let stored = await firstRun(ctx, options, { roles, ...hosting })
  while (!signal.aborted && stored) {
    requireInCast(stored.scene, options.characters)
    const scene = await ctx.scenes.hostRoles(stored, { roles, ...routeOf(options) })
    tellHosted(scene, roles, say)
    const dispose = watchWork(ctx, scene, say)
    const next = await nextRun(ctx, stored, scene, signal)
    dispose()
    await scene.close()
    if (!next) {
      if (signal.aborted) break
      say('broken', `${found(scene.cast.broken.reason)}; opening the scene again`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    stored = next ?? stored
  }
  signal.throwIfAborted()
  return exitCodes.done
}

/** What this machine knows of the scene is checked before it is waited for. */
async function firstRun(
  ctx: Context,
  { scene: id, characters }: CastHostOptions,
  { say, signal, roles }: Hosting & { readonly roles: readonly Role[] },
): Promise<StoredRun | undefined> {
  const known = await ctx.scenes.findRun(id)
  const scene = known?.scene ?? (await ctx.scenes.read(id).catch(unlessUnknown))
  if (scene) requireInCast(scene, characters)
  await ctx.scenes.presence.want(id, roles)
  const { self } = ctx.scenes.presence
  const unknown = scene ? '' : ' (no scene of that name is on this machine: another must begin it)'
  say(
    'started',
    `${self.name} (${self.id})${known ? '' : `: waiting for '${id}' to begin`}${unknown}`,
    {
      host: self.id,
      name: self.name,
    },
  )
  return await ctx.scenes.begun(id, { signal })
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof SceneError && error.code === 'unknown-scene') return undefined
  throw error
}

function requireInCast({ id, cast }: Scene, characters: readonly string[]): void {
  const names = cast.map(({ character }) => character)
  const stranger = characters.find((character) => !names.includes(character))
  if (stranger === undefined) return
  throw new SceneError(
    'unknown-character',
    `'${stranger}' is not in '${id}' (cast: ${names.join(', ')})`,
  )
}

/** The run that was begun after this one; undefined when stopped, or when the store failed. */
async function nextRun(
  ctx: Context,
  { id, scene: { id: sceneId } }: StoredRun,
  scene: OpenScene,
  signal: AbortSignal,
): Promise<StoredRun | undefined> {
  const ended = AbortSignal.any([signal, scene.cast.broken])
  const after = Number(id.slice(id.lastIndexOf('.') + 1))
  const [next] = await Promise.all([
    ctx.scenes.begun(sceneId, { after, signal: ended }),
    scene.serve(ended).catch((error: unknown) => {
      if (!storeFailed(error)) throw error
      scene.cast.fail(error)
    }),
  ])
  return next
}

/** Says who hosts what; a role that is with another stays there, and may be moved here. */
function tellHosted(scene: OpenScene, asked: readonly Role[], say: Say): void {
  const { roles } = scene
  if (!roles) throw new SceneError('unsupported', 'cast-host needs a mesh that others share')
  const mine = roles.all.filter((role) => roles.isMine(role))
  const others = roles.hosted.filter(({ role }) => asked.includes(role) && !mine.includes(role))
  for (const { role, name, status } of others) {
    say(
      'elsewhere',
      `${role} is with ${name}${status === 'unsure' ? '' : ` (${status})`}; /move ${role} <host> at a seat moves it`,
      { role, name, status },
    )
  }
  const { id } = scene.run
  const what = mine.join(', ') || 'nothing yet: a seat can /move a role here'
  say('hosting', `${id}: hosting ${what}`, { run: id, roles: mine })
}

/** A line for each cue, and for each role that comes and goes. */
function watchWork(ctx: Context, scene: OpenScene, say: Say): () => void {
  const { id } = scene.run
  const offs = [
    ctx.on('cue/claimed', ({ cue }) => {
      if (cue.runId === id) say('claimed', `${cue.character} answers ${cue.id}`, { cue: cue.id })
    }),
    ctx.on('cue/settled', ({ cue, outcome }) => {
      if (cue.runId !== id) return
      const how = outcome.status === 'failed' ? `failed: ${outcome.message}` : outcome.status
      say('settled', `${cue.character}: ${cue.id} ${how}`, { cue: cue.id, status: outcome.status })
    }),
    ctx.on('cue/lost', ({ cue }) => {
      if (cue.runId === id)
        say('lost', `${cue.character}: ${cue.id} is another host's now`, { cue: cue.id })
    }),
    ctx.on('request/settled', ({ runId, requestId, outcome }) => {
      if (runId === id)
        say('request', `${requestId} ${outcome.status}`, {
          request: requestId,
          status: outcome.status,
        })
    }),
    ctx.on('company/changed', ({ runId, key }) => {
      const [kind, role = ''] = key.split('/', 2)
      const record = runId === id && kind === 'host' ? scene.roles?.find(role) : undefined
      if (record) say('moved', `${role} is with ${record.name} now`, { role, host: record.host })
    }),
  ]
  return () => offs.forEach((off) => void off())
}

function routeOf({ provider, model }: CastHostOptions) {
  if (provider === undefined && model === undefined) return {}
  return { route: { ...(provider ? { provider } : {}), ...(model ? { model } : {}) } }
}

function sayer(asJson: boolean): Say {
  return (event, text, facts = {}) => {
    process.stdout.write(
      asJson ? `${jsonText({ event, ...facts, text })}\n` : `${printable(text)}\n`,
    )
  }
}

function found(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
