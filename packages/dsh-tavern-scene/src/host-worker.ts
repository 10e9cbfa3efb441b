/** Under which name this home claims: one of its own on its own mesh, its host's where several homes claim. */
import { type Worker, workerKey } from 'dsh-fabric-mesh'

/** `path`: of the home's key. */
export function homeWorker(path: string, hostId?: string): Worker {
  return { id: hostId === undefined ? 'tavern' : workerOf(hostId), secret: workerKey(path) }
}

export function workerOf(hostId: string): string {
  return `tavern@${hostId}`
}
