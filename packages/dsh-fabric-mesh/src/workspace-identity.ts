/** Which workspace of the mesh a session belongs to. */
import { createHash } from 'node:crypto'

export interface RegisteredWorkspace {
  readonly id: string
  /** Canonical, as the host's registry keeps it. */
  readonly path: string
  readonly sessionIds: readonly string[]
}

export interface WorkspaceQuestion {
  readonly sessionId: string
  readonly cwd: string | undefined
  readonly workspaces: readonly RegisteredWorkspace[]
  /** Resolves links; throws for a path that is not there. */
  readonly realpath: (path: string) => string
}

/**
 * Sessions of one registered workspace share an identity; else those of one directory do, however it is spelled.
 * A session without a directory, or with one that is not there, has the mesh to itself.
 */
export function workspaceIdentity(question: WorkspaceQuestion): string {
  const { sessionId, cwd, workspaces } = question
  const listed = workspaces.find((workspace) => workspace.sessionIds.includes(sessionId))
  if (listed !== undefined) return `workspace:${listed.id}`

  const path = cwd === undefined ? undefined : resolved(cwd, question.realpath)
  if (path === undefined) return `session:${sessionId}`

  const owner = workspaces.find((workspace) => workspace.path === path)
  if (owner !== undefined) return `workspace:${owner.id}`
  return `path:${createHash('sha256').update(path).digest('hex')}`
}

function resolved(cwd: string, realpath: (path: string) => string): string | undefined {
  try {
    return realpath(cwd)
  } catch {
    return undefined // a directory that is gone names no workspace
  }
}
