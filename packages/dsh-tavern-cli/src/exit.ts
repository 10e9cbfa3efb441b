/** Exit codes and what a person reads when something fails. */
import { CardError } from 'dsh-tavern-cards'
import { CastError, storeFailed } from 'dsh-tavern-cast'
import { MeshError } from 'dsh-fabric-mesh'
import { SceneError } from 'dsh-tavern-scene'

export const exitCodes = {
  done: 0,
  /** A fault of ours or of the machine. */
  failed: 1,
  /** What was asked for, or a file, is not right. */
  badInput: 2,
  /** Another process, or another host, has the scene or the role, and keeps it. */
  hostedElsewhere: 3,
  /** The scene ended before what was asked for: nobody could act. */
  unfinished: 4,
} as const

const isBadInput = new Set<string>([
  'unknown-character',
  'already-exists',
  'not-found',
  'not-claimed',
  'damaged-key',
])

export interface Failure {
  readonly code: number
  readonly text: string
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CastError && error.code === 'hosted-elsewhere') {
    return {
      code: exitCodes.hostedElsewhere,
      text: `${error.message}. Leave it there first, or use another --home.`,
    }
  }
  if (
    error instanceof SceneError &&
    (error.code === 'host-present' || error.code === 'host-away')
  ) {
    return { code: exitCodes.hostedElsewhere, text: error.message }
  }
  if (error instanceof SceneError || error instanceof CardError || error instanceof UsageError) {
    return { code: exitCodes.badInput, text: error.message }
  }
  if (error instanceof CastError || error instanceof MeshError) {
    return {
      code: isBadInput.has(error.code) ? exitCodes.badInput : exitCodes.failed,
      text: error.message,
    }
  }
  const text =
    error instanceof Error ? (process.env['DEBUG'] ? error.stack : error.message) : String(error)
  return { code: exitCodes.failed, text: text ?? 'failed' }
}

/** What was asked for could not be done; the scene and its store are as sound as before. */
export function isRefusal(error: unknown): error is Error {
  if (error instanceof MeshError) return !storeFailed(error)
  return error instanceof SceneError || error instanceof CastError
}

/** An option or argument that cannot be used. */
export class UsageError extends Error {}
