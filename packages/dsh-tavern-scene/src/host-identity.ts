/** Who this home is among the hosts of a mesh: an id that stays, and a name for people. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { onceWritten } from 'dsh-fabric-mesh'
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
