import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { parseScene } from 'dsh-tavern-scene'
import { expect, onTestFinished, test } from 'vitest'
import { beginRun, findRun } from '../../packages/dsh-tavern-scene/src/runs.ts'

const scene = parseScene(
  'inn',
  'scene.yml',
  'title: The inn\npremise: Rain.\ncast: [{ character: mara }]\nworld: { lamp: { value: 1 } }',
)

/** The workspace of a home, once for each process that has it open. */
function workspaces(count: number): readonly MeshWorkspace[] {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-runs-'))
  const meshes = Array.from({ length: count }, () =>
    openSqliteMesh({ path: join(folder, 'mesh.sqlite') }),
  )
  onTestFinished(async () => {
    await Promise.all(meshes.map((mesh) => mesh.close()))
    rmSync(folder, { recursive: true, force: true })
  })
  return meshes.map((mesh) => mesh.workspace('tavern'))
}

function one(): MeshWorkspace {
  const [workspace] = workspaces(1)
  if (!workspace) throw new Error('no workspace')
  return workspace
}

test('a scene that was never played has no run', async () => {
  expect(await findRun(one(), 'inn')).toBeUndefined()
})

test('the first run is the first, with the scene as it is and its seed', async () => {
  const workspace = one()

  const run = await beginRun(workspace, scene, { seed: 7, after: 0 })

  expect(run).toEqual({ id: 'inn.1', scene, seed: 7 })
  expect(await findRun(workspace, 'inn')).toEqual(run)
})

test('a run keeps the scene that it began with, whatever its file becomes', async () => {
  const workspace = one()
  await beginRun(workspace, scene, { seed: 1, after: 0 })

  const changed = { ...scene, title: 'Another inn', cast: [] }
  expect((await findRun(workspace, changed.id))?.scene.title).toBe('The inn')

  await beginRun(workspace, { ...scene, title: 'Another inn' }, { seed: 2, after: 0 })
  expect(await findRun(workspace, 'inn')).toMatchObject({
    id: 'inn.2',
    scene: { title: 'Another inn' },
    seed: 2,
  })
  expect((await findRun(workspace, 'inn', 1))?.scene.title).toBe('The inn')
})

test('scenes count their runs apart', async () => {
  const workspace = one()
  await beginRun(workspace, scene, { seed: 1, after: 0 })

  await beginRun(workspace, { ...scene, id: 'inn-2' }, { seed: 1, after: 0 })

  expect((await findRun(workspace, 'inn-2'))?.id).toBe('inn-2.1')
  expect((await findRun(workspace, 'inn'))?.id).toBe('inn.1')
})

test('of two that begin at once both get one and the same run, whole', async () => {
  const [here, there] = workspaces(2)
  if (!here || !there) throw new Error('no workspaces')

  const runs = await Promise.all([
    beginRun(here, scene, { seed: 1, after: 0 }),
    beginRun(there, scene, { seed: 2, after: 0 }),
  ])

  expect(runs[0]).toEqual(runs[1])
  expect(runs[0]?.scene).toEqual(scene)
  expect(await findRun(here, 'inn')).toEqual(runs[0])
})

test('what a process wrote that died before it counted its run is never played', async () => {
  const workspace = one()
  await workspace.states.compareAndSwap({
    key: 'run/inn.1/scene',
    expectedVersion: 0,
    value: { scene: { title: 'Left behind' }, seed: 9 },
    by: 'scene',
  })

  expect(await findRun(workspace, 'inn')).toBeUndefined()
  expect(await beginRun(workspace, scene, { seed: 3, after: 0 })).toEqual({
    id: 'inn.2',
    scene,
    seed: 3,
  })
})

test('a stored scene that this build cannot read is named by its key', async () => {
  const workspace = one()
  const key = 'run/inn.1/scene'
  await beginRun(workspace, scene, { seed: 1, after: 0 })
  await workspace.states.compareAndSwap({
    key,
    expectedVersion: 1,
    value: { scene: { title: 'No cast' }, seed: 1 },
    by: 'someone',
  })

  await expect(findRun(workspace, 'inn')).rejects.toMatchObject({
    code: 'invalid-scene',
    message: expect.stringContaining(`state '${key}'`),
  })
})
