/** The checker does under Bun what it does under Node. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findBun, isRequired } from '../fabric-mesh/bun.ts'

const bun = findBun()

it.skipIf(bun === undefined && !isRequired)(
  'the specs of the check pass under Bun',
  async () => {
    if (bun === undefined) throw new Error('there is no bun on the path')
    const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))
    const suites = ['checker', 'compiler', 'erase'].map(
      (name) => `test/fabric-code-runtime-quickjs/check-${name}.spec.ts`,
    )
    const child = spawn(bun, ['--bun', join(vitest, 'vitest.mjs'), 'run', ...suites], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, NO_COLOR: '1' },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))

    const [code] = await once(child, 'close')

    expect(said).toMatch(/Tests +\d{3,} passed/)
    expect(code).toBe(0)
  },
  120_000,
)
