/** A mesh that other homes play on too: it is waited for while it is away, and this home is seen on it. */
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { patientWorkspace } from './patient-workspace.ts'
import { Presence, type PresenceOptions } from './presence.ts'

export interface SharedMeshOptions extends PresenceOptions {
  /** Told when the mesh does not answer, and when it does again. */
  readonly waiting: (error: Error) => void
  readonly back: () => void
}

/** Between two attempts on a mesh that is away. */
const AWAY_MS = 1000

/** What is left to write when it leaves. */
const LEAVE_MS = 3000

export class SharedMesh {
  readonly workspace: MeshWorkspace
  readonly presence: Presence
  readonly #closing = new AbortController()
  #isAway = false

  constructor({ workspace, waiting, back, ...presence }: SharedMeshOptions) {
    this.workspace = patientWorkspace(workspace, {
      pauseMs: AWAY_MS,
      signal: this.#closing.signal,
      waiting: (error) => {
        this.#isAway = true
        waiting(error)
      },
      back: () => {
        this.#isAway = false
        back()
      },
    })
    this.presence = new Presence({ ...presence, workspace: this.workspace })
  }

  /**
   * Begins to leave: a mesh that is away, or goes away now, must not hold the process. What it
   * returns says to the others that this home has left.
   */
  leaving(): () => Promise<void> {
    if (this.#isAway) this.#closing.abort()
    const late = setTimeout(() => this.#closing.abort(), LEAVE_MS)
    return async () => {
      await this.presence.stop().catch(() => {}) // then its lease says that it left
      clearTimeout(late)
      this.#closing.abort()
    }
  }
}
