/** A home's own key, from which its workers' secrets come: a restarted host regains its claims with it. */
import { createHmac, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { MeshError } from './error.ts'
import type { Worker } from './mesh.ts'

const KEY = /^[0-9a-f]{64}$/

/** The key in this file, made with its folder when it is not there. Fails with `damaged-key`. */
export function workerKey(path: string): string {
  return read(path) ?? create(path)
}

/** A worker of its own secret; who knows it cannot tell the key, or another worker's. */
export function workerNamed(id: string, key: string): Worker {
  return { id, secret: createHmac('sha256', key).update(`worker/${id}`).digest('hex') }
}

function read(path: string): string | undefined {
  try {
    const key = readFileSync(path, 'utf8').trim()
    if (KEY.test(key)) return key
    throw new MeshError(
      'damaged-key',
      `${path} does not hold a worker key (64 hex digits); restore it, or remove it and release its claims`,
    )
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Whole or not at all; of two that create it at once, both use the one that stayed. */
function create(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporary)
  }
  return read(path) ?? create(path)
}
