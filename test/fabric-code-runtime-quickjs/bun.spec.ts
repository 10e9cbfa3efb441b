/** The package under Bun: the same threads, the same ends. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findBun, isRequired } from '../fabric-mesh/bun.ts'

const bun = findBun()

test.skipIf(bun === undefined && !isRequired)(
  'programs are checked, run and stopped under Bun',
  () => {
    const child = fileURLToPath(new URL('bun-child.ts', import.meta.url))
    const done = spawnSync(bun ?? 'bun', ['--bun', child], { encoding: 'utf8', timeout: 50_000 })

    expect(done.stderr).toBe('')
    expect(
      done.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { status: 'completed', value: { sum: 6, echo: [1.5, 'é'] }, logs: ['running'] },
      'check',
      'memory',
      'exception',
      'timeout',
      'stopped by hand',
      'runtime disposed',
      'gone',
    ])
    expect(done.status).toBe(0)
  },
)
