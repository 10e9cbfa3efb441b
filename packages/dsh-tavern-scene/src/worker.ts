/** This home's own secret, from which claim tokens are derived: a restarted host regains its claims with it. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Worker } from 'dsh-fabric-mesh'
import { SceneError } from './error.ts'

const SECRET = /^[0-9a-f]{64}$/

export function homeWorker(path: string): Worker {
  const secret = read(path) ?? create(path)
  return { id: 'tavern', secret }
}

function read(path: string): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').trim()
    if (SECRET.test(secret)) return secret
    throw new SceneError(
      'damaged-secret',
      `${path} does not hold a worker secret (64 hex digits); restore it, or remove it and release its claims`,
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
