/** A run on a store of its own, for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import type { Mesh, MeshWorkspace } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { Run } from 'dsh-tavern-cast'
import { type PlacedBeat, type Scene, sceneDefinition } from 'dsh-tavern-protocol'
import { onTestFinished } from 'vitest'

export const scene: Scene = {
  id: 'inn',
  ...sceneDefinition.parse({
    title: 'The inn',
    premise: 'Rain.',
    cast: [{ character: 'mara' }, { character: 'pip' }, { character: 'crane', onStage: false }],
    world: { lamp: { value: 'lit' }, safe: { value: 'empty', knownTo: ['pip'] } },
  }),
}

export function newWorkspace(): MeshWorkspace {
  return newMesh().workspace('tavern')
}

export function newMesh(): Mesh {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-run-'))
  const mesh = openSqliteMesh({ path: join(folder, 'mesh.sqlite') })
  onTestFinished(async () => {
    await mesh.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return mesh
}

export interface Opened {
  readonly run: Run
  /** Beats that were told of in this process. */
  readonly told: readonly PlacedBeat[]
}

/** Opens the run on a workspace as a host that starts does. */
export async function openRun(workspace: MeshWorkspace): Promise<Opened> {
  const ctx = new Context()
  const told: PlacedBeat[] = []
  ctx.on('beat/published', ({ placed }) => {
    told.push(placed)
  })
  const run = await Run.open({ ctx, id: 'inn.1', scene, seed: 1, workspace, seat: 'seat:Ellis' })
  return { run, told }
}
