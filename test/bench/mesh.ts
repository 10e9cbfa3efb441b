/** The mesh in SQLite against the disk, against itself when a million records are stored, and against the host's store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareJsonStore } from './mesh-json.ts'
import { compareDisk, compareProcesses } from './mesh-processes.ts'
import { compareMailboxes, compareSizes, countBytes, measureSnapshots } from './mesh-sizes.ts'
import { openStore } from './mesh-store.ts'
import type { Report } from './report.ts'

const STORED = 1_000_000

export async function meshBench(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mesh-bench-'))
  try {
    const small = await openStore(join(folder, 'small.db'), 200)
    await countBytes(report, small, { when: 'at 0', most: 9500 })
    await compareDisk(report, folder)
    await compareJsonStore(report, folder, small)
    await compareProcesses(report, folder)
    const empty = await openStore(join(folder, 'empty.db'), 200)
    const big = await openStore(join(folder, 'big.db'), STORED)
    await compareSizes(report, empty, big)
    await compareMailboxes(report, big)
    await measureSnapshots(report, big, join(folder, 'wide.db'))
    await countBytes(report, big, { when: 'at 1,000,000', most: 12_000 })
    for (const { mesh } of [small, empty, big]) await mesh.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
