/** The SQLite engine keeps the contract of the mesh. */
import { meshContract } from '../contract/mesh.ts'
import { sqliteBed } from './sqlite-bed.ts'

meshContract('SQLite', async () => sqliteBed())
