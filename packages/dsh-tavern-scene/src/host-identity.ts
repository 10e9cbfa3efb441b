/** Who this home is among the hosts of a mesh: an id that stays, and a name for people. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { SceneError } from './error.ts'

export interface HostIdentity {
  readonly id: string
  readonly name: string
}

const ID = /^[0-9a-f]{12}$/

export function homeHost(folder: string, name?: string): HostIdentity {
  const path = join(folder, 'host.id')
  const id = onceWritten(path, () => randomBytes(6).toString('hex'))
  if (ID.test(id)) return { id, name: name ?? hostname() }
  throw new SceneError(
    'damaged-id',
    `${path} does not hold a host's id (12 hex digits); restore it, or remove it: what this home hosted must then be moved to it`,
  )
}

/** What is there, or what `make` gives; of two processes that write it at once, both use the one that stayed. */
function onceWritten(path: string, make: () => string): string {
  const known = readHomeFile(path)
  if (known !== undefined) return known
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, make(), { mode: 0o600, flush: true })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporary)
  }
  return readHomeFile(path) ?? onceWritten(path, make)
}

function readHomeFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
