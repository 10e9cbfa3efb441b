/** A home's own key, from which its workers' secrets come: a restarted host regains its claims with it. */
import { createHmac, randomBytes } from 'node:crypto'
import { MeshError } from './error.ts'
import type { Worker } from './mesh.ts'
import { onceWritten } from './once-written.ts'

const KEY = /^[0-9a-f]{64}$/

/** The key in this file, made with its folder when it is not there. Fails with `damaged-key`. */
export function workerKey(path: string): string {
  const key = onceWritten(path, () => randomBytes(32).toString('hex'))
  if (KEY.test(key)) return key
  throw new MeshError(
    'damaged-key',
    `${path} does not hold a worker key (64 hex digits); restore it, or remove it and release its claims`,
  )
}

/** A worker of its own secret; who knows it cannot tell the key, or another worker's. */
export function workerNamed(id: string, key: string): Worker {
  return { id, secret: createHmac('sha256', key).update(`worker/${id}`).digest('hex') }
}
