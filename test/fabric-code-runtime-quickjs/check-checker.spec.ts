/** The checker's thread: warm, replaceable, never in the way of its callers. */
import { afterEach, describe, expect, it } from 'vitest'
import {
  type CheckerOptions,
  openChecker,
} from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/checker.ts'
import {
  Thread,
  type ThreadOptions,
} from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/thread.ts'
import type { Checker } from '../../packages/dsh-fabric-code-runtime-quickjs/src/checking.ts'
import { declarations } from './check-bed.ts'

/** Takes TypeScript minutes, or all the memory it may have. */
const PATHOLOGICAL = `type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9'
type N = \`\${D}\${D}\${D}\${D}\`
type M = { [A in N]: { [B in N]: A extends B ? 1 : \`\${A}\${B}\` } }
const a: M = {} as any
const b: { [A in N]: { [B in N]: string } } = a
return b`

const opened: Checker[] = []
function open(options?: CheckerOptions): Checker {
  const checker = openChecker(options)
  opened.push(checker)
  return checker
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((checker) => checker.dispose()))
})

const never = new AbortController().signal
const clean = (value: number): { program: string; declarations: string } => ({
  program: `return ${value} as number`,
  declarations,
})

/** The real threads, as they are opened. */
function counted(entry?: URL) {
  const threads: Thread[] = []
  const openThread = (options: ThreadOptions) => {
    const thread = new Thread({ ...options, ...(entry ? { entry } : {}) })
    threads.push(thread)
    return thread
  }
  return { threads, openThread }
}

describe('a checker', () => {
  it('answers each of many callers with its own program', async () => {
    const checker = open()
    const values = Array.from({ length: 40 }, (_, index) => index)

    const checked = await Promise.all(values.map((value) => checker.check(clean(value), never)))

    expect(checked).toEqual(
      values.map((value) => ({ status: 'clean', javascript: `return ${value};         ` })),
    )
  })

  it('rejects with the reason of a signal that is aborted already', async () => {
    const reason = new Error('not wanted')

    await expect(open().check(clean(1), AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('rejects at once while a type keeps it busy, and carries the waiting over', async () => {
    const checker = open({ graceMs: 20 })
    await checker.check(clean(0), never)
    const controller = new AbortController()
    const hopeless = checker.check({ program: PATHOLOGICAL, declarations }, controller.signal)
    const waiting = [1, 2, 3].map((value) => checker.check(clean(value), never))
    const reason = new Error('enough')
    let settled: unknown
    hopeless.catch((error: unknown) => (settled = error))

    controller.abort(reason)
    await Promise.resolve()
    await Promise.resolve()
    await new Promise(setImmediate)

    expect(settled).toBe(reason)
    expect(await Promise.all(waiting)).toMatchObject([1, 2, 3].map(() => ({ status: 'clean' })))
  })

  it('drops a waiting check whose signal aborts, and only that', async () => {
    const checker = open()
    const controller = new AbortController()
    const first = checker.check(clean(1), never)
    const second = checker.check(clean(2), controller.signal)
    const third = checker.check(clean(3), never)

    controller.abort(new Error('second'))

    await expect(second).rejects.toThrow('second')
    expect(await Promise.all([first, third])).toMatchObject([
      { status: 'clean' },
      { status: 'clean' },
    ])
  })

  it.each([
    ['checks', { maxChecks: 2 }],
    ['heap', { maxHeapBytes: 1 }],
  ])(
    'a thread with too much behind it (%s) is replaced by one that is warm',
    async (_, options) => {
      const { threads, openThread } = counted()
      const checker = open({ ...options, openThread })

      for (let value = 0; threads.length < 4; value += 1) {
        const isWarm = threads.map((thread) => thread.isWarm)
        // oxlint-disable-next-line no-await-in-loop -- one after the other, so that threads are spent
        expect(await checker.check(clean(value), never)).toMatchObject({ status: 'clean' })
        expect(isWarm.filter((warm) => !warm).length).toBeLessThanOrEqual(1)
      }
    },
  )

  it('ends a thread that is busy for nobody, and forgets the check', async () => {
    const { threads, openThread } = counted()
    const checker = open({ graceMs: 1, openThread })
    await checker.check(clean(0), never)
    const controller = new AbortController()
    const hopeless = checker.check({ program: PATHOLOGICAL, declarations }, controller.signal)
    controller.abort(new Error('enough'))

    await expect(hopeless).rejects.toThrow('enough')
    expect(await checker.check(clean(1), never)).toMatchObject({ status: 'clean' })
    expect(threads).toHaveLength(2)
    expect(threads.map(({ checks }) => checks)).toEqual([2, 1])
  })

  it('says that it cannot start, and why, after one more try', async () => {
    const { threads, openThread } = counted(new URL('./no-such-thread.ts', import.meta.url))
    const checker = open({ openThread })

    await expect(checker.check(clean(1), never)).rejects.toThrow(
      /^the checker's thread cannot start: .*no-such-thread/,
    )
    expect(threads).toHaveLength(2)
  })

  it('refuses what a thread dies of, and lives on', async () => {
    const checker = open({ maxThreadHeapMb: 80 })

    const checked = await checker.check({ program: PATHOLOGICAL, declarations }, never)

    expect(checked).toMatchObject({ status: 'refused' })
    expect(await checker.check(clean(1), never)).toMatchObject({ status: 'clean' })
  })

  it('rejects what is under way and what comes after when disposed', async () => {
    const checker = open()
    const running = checker.check(clean(1), never)
    const [ended] = await Promise.all([running.catch((error: unknown) => error), checker.dispose()])

    expect(ended).toMatchObject({ code: 'disposed' })
    await expect(checker.check(clean(2), never)).rejects.toMatchObject({ code: 'disposed' })
  })
})
