/** `run_code` under Bun, where the host's own runtime cannot be loaded. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findBun, isRequired } from '../fabric-mesh/bun.ts'

const bun = findBun()

it.skipIf(bun === undefined && !isRequired)(
  'programs of every preset run under Bun',
  async () => {
    if (bun === undefined) throw new Error('there is no bun on the path')
    const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))
    const suite = 'test/fabric-host/engine.spec.ts'
    const child = spawn(bun, ['--bun', join(vitest, 'vitest.mjs'), 'run', suite], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, NO_COLOR: '1' },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))

    const [code] = await once(child, 'close')

    expect(said).toMatch(/Tests +13 passed/)
    expect(code).toBe(0)
  },
  120_000,
)
