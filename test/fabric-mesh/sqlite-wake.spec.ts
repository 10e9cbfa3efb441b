/** How a watcher hears of another process's commit: by a touched file, and should that fail, a second later. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Ear, Wake } from '../../packages/dsh-fabric-mesh/src/sqlite/wake.ts'
import { type SqliteBed, sqliteBed } from './sqlite-bed.ts'

const file = vi.hoisted(() => ({ touched: true }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const futimesSync: typeof real.futimesSync = (...stamp) => {
    if (file.touched) real.futimesSync(...stamp)
  }
  return { ...real, futimesSync }
})

const by = 'narrator'
let bed: SqliteBed
beforeEach(() => {
  file.touched = true
  bed = sqliteBed()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await bed.dispose()
})

/** One opening watches a topic, another publishes to it; the timers stand still. */
async function watchedFromElsewhere() {
  const meshes = [await bed.open(), await bed.open()] as const
  const [here, there] = meshes.map((mesh) => mesh.workspace('workspace:inn').topics)
  if (here === undefined || there === undefined) throw new Error('two were opened')
  await here.create({ id: 'scene', by })
  const { signal } = new AbortController()
  const watch = here.watch('scene', { after: 0, signal })[Symbol.asyncIterator]()
  const heard = watch.next()
  await here.read('scene') // by now the watch has read, found nothing, and waits
  const publish = () => there.publish('scene', { payload: 1, by })
  const close = () => Promise.all(meshes.map((mesh) => mesh.close()))
  return { heard, publish, close }
}

it('the touched file alone wakes it', async () => {
  const { heard, publish, close } = await watchedFromElsewhere()

  await publish()

  expect((await heard).value).toMatchObject({ sequence: 1 })
  await close()
})

it('a commit whose file was not touched is heard of by the timer', async () => {
  file.touched = false
  const { heard, publish, close } = await watchedFromElsewhere()

  await publish()
  vi.advanceTimersByTime(1000)

  expect((await heard).value).toMatchObject({ sequence: 1 })
  await close()
})

it('a commit between a read and the wait that follows ends that wait', async () => {
  const wake = new Wake()
  const ear = new Ear(wake, 7, new AbortController().signal)

  wake.ring(new Set([7]))
  await ear.wait()
  ear.close()
  wake.ring(new Set([7]))

  const again = Symbol('still waiting')
  expect(await Promise.race([ear.wait(), Promise.resolve(again)])).toBe(again)
})
