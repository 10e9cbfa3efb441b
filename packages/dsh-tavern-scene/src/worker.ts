/** This home's own secret, from which claim tokens are derived: a restarted host regains its claims with it. */
import { randomBytes } from 'node:crypto'
import type { Worker } from 'dsh-fabric-mesh'
import { SceneError } from './error.ts'
import { onceWritten } from './home-file.ts'

const SECRET = /^[0-9a-f]{64}$/

/** On a mesh of its own a home needs no name; where several homes claim, each has its host's id. */
export function homeWorker(path: string, hostId?: string): Worker {
  const secret = onceWritten(path, () => randomBytes(32).toString('hex'))
  if (SECRET.test(secret)) return { id: hostId === undefined ? 'tavern' : workerOf(hostId), secret }
  throw new SceneError(
    'damaged-secret',
    `${path} does not hold a worker secret (64 hex digits); restore it, or remove it and release its claims`,
  )
}

/** The name under which a host claims. */
export function workerOf(hostId: string): string {
  return `tavern@${hostId}`
}
