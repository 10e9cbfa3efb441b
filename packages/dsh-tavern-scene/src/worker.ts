/** The name under which a home claims. */
import { type Worker, workerKey } from 'dsh-fabric-mesh'

/** On a mesh of its own a home needs no name; where several homes claim, each has its host's id. Fails with `damaged-key`. */
export function homeWorker(path: string, hostId?: string): Worker {
  return { id: hostId === undefined ? 'tavern' : workerOf(hostId), secret: workerKey(path) }
}

/** The name under which a host claims. */
export function workerOf(hostId: string): string {
  return `tavern@${hostId}`
}
