/** Turns at the write lock, between two that meet in one folder. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Turns } from '../../packages/dsh-fabric-mesh/src/sqlite/turns.ts'

let folder: string
let turns: readonly [Turns, Turns]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mesh-turns-'))
  const path = join(folder, 'mesh.db')
  writeFileSync(path, '')
  const make = () => new Turns({ path, committed: () => undefined })
  turns = [make(), make()]
  turns[0].peers.join()
  await until(() => socketsOf(path).length === 1)
  turns[1].peers.join() // it finds the first one, and only it finds anybody
  await until(() => turns.every(({ peers }) => peers.count === 1))
})
afterEach(async () => {
  await Promise.all(turns.map(({ peers }) => peers.close()))
  rmSync(folder, { recursive: true, force: true })
})

/** Of those that take calls. */
function socketsOf(path: string): readonly string[] {
  const peers = `${path}-peers`
  return existsSync(peers) ? readdirSync(peers).filter((name) => name.endsWith('.sock')) : []
}

async function until(isSo: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    if (!isSo()) throw new Error('not yet')
  })
}

it('who waits comes before who has just written', async () => {
  const [busy, waiting] = turns
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.wait(resolve)
  await until(() => busy.mustWait)

  busy.done(() => false)

  await expect(promise).resolves.toBeUndefined()
})

it('a peer that takes its turn and stands still is waited for once, not at every turn', async () => {
  const [busy, still] = turns
  still.wait(() => undefined) // and commits nothing, ever
  await until(() => busy.mustWait)
  busy.done(() => false)

  await new Promise<void>((resolve) => {
    busy.wait(resolve)
  })

  expect(busy.mustWait).toBe(false)
})
