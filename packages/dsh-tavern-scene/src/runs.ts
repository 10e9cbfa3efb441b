/** Which runs of a scene a home has: the count, and the scene as it stood when a run began. */
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { asJson, type JsonValue, type StateRecord } from 'dsh-fabric-protocol'
import { ruleName, RunId, type Scene, sceneDefinition, type SceneId } from 'dsh-tavern-protocol'
import { z } from 'zod'
import { SceneError } from './error.ts'
import type { Programs } from './rule-files.ts'

const begun = z.object({ count: z.int().positive() })
const storedRun = z.object({
  scene: z.unknown(),
  seed: z.int().nonnegative(),
  persona: z.string().optional(),
  programs: z.record(ruleName, z.string()).readonly().optional(),
})

export interface StoredRun {
  readonly id: RunId
  readonly scene: Scene
  readonly seed: number
  /** The name of who began it, where it is not the scene's own. */
  readonly persona?: string
  /** Texts of the scene's rules, by name, as they were when it began. */
  readonly programs?: Programs
}

/** The newest run of the scene, undefined when it was never played here. */
export async function findRun(
  workspace: MeshWorkspace,
  scene: SceneId,
  count?: number,
): Promise<StoredRun | undefined> {
  const newest = count ?? (await newestCount(workspace, scene)).count
  if (newest === 0) return undefined
  const id = RunId(scene, newest)
  const record = await workspace.states.find(`run/${id}/scene`)
  if (!record) return undefined
  const run = read(storedRun, record)
  const definition = sceneDefinition.safeParse(run.scene)
  if (!definition.success) {
    throw new SceneError('invalid-scene', `state '${record.key}': ${definition.error.message}`)
  }
  const { seed, persona, programs } = run
  return {
    id,
    scene: { id: scene, ...definition.data },
    seed,
    ...(programs ? { programs } : {}),
    ...(persona === undefined ? {} : { persona }),
  }
}

/**
 * Begins the next run, with a count above `after`. Written scene first, so a counted run always has its scene; one that a dead
 * process wrote and never counted is passed over.
 */
export async function beginRun(
  workspace: MeshWorkspace,
  scene: Scene,
  {
    seed,
    after,
    persona,
    programs = {},
  }: {
    readonly seed: number
    readonly after: number
    readonly persona?: string
    readonly programs?: Programs
  },
): Promise<StoredRun> {
  const { count: last, version } = await newestCount(workspace, scene.id)
  const { id: _id, ...definition } = scene
  const value = asJson({
    scene: definition,
    seed,
    ...(persona === undefined ? {} : { persona }),
    ...(Object.keys(programs).length > 0 ? { programs } : {}),
  })
  let count = Math.max(last, after) + 1
  while (!(await isWritten(workspace, RunId(scene.id, count), value))) count += 1
  await workspace.states.compareAndSwap({
    key: countKey(scene.id),
    expectedVersion: version,
    value: { count },
    by: 'scene',
  })
  const run = await findRun(workspace, scene.id)
  if (!run) throw new SceneError('closed', `run '${RunId(scene.id, count)}' could not be begun`)
  return run
}

/** False when there is a run of that id. */
async function isWritten(workspace: MeshWorkspace, id: RunId, value: JsonValue): Promise<boolean> {
  const written = await workspace.states.compareAndSwap({
    key: `run/${id}/scene`,
    expectedVersion: 0,
    value,
    by: 'scene',
  })
  return written.status === 'swapped'
}

async function newestCount(
  workspace: MeshWorkspace,
  scene: SceneId,
): Promise<{ readonly count: number; readonly version: number }> {
  const record = await workspace.states.find(countKey(scene))
  return record ? { ...read(begun, record), version: record.version } : { count: 0, version: 0 }
}

/** Its value tells how many runs of a scene were begun. */
export function countKey(scene: SceneId): string {
  return `scene/${scene}/runs`
}

/** The disk is an edge: a damaged record says which it is. */
function read<T>(schema: z.ZodType<T>, { key, value }: StateRecord): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new SceneError('invalid-scene', `state '${key}': ${parsed.error.message}`)
}
