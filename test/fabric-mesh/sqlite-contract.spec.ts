/** The SQLite engine keeps the contract of the mesh. */
import { expect, it } from 'vitest'
import { meshContract } from '../contract/mesh.ts'
import { sqliteBed } from './sqlite-bed.ts'

meshContract('SQLite', async () => sqliteBed())

it.runIf(process.env['MESH_CONTRACT_RUNTIME'] === 'bun')('this is Bun', () => {
  expect(process.versions.bun).toMatch(/^1\./)
})
