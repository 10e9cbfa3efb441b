/** A seat beside the living host of its home: it waits for that one's scene, and then for its place. */
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { CastError } from 'dsh-tavern-cast'
import type { SceneId } from 'dsh-tavern-protocol'
import { SceneError } from './error.ts'
import type { OpenScene } from './open-scene.ts'
import { pause } from './pause.ts'
import { findRun, type StoredRun } from './runs.ts'

/** How long the place of a living host is left alone before it is looked at again. */
const PLACE_MS = 1000

/** Its host may just be beginning it. Fails with `nothing-to-resume`. */
export async function begunByHost(workspace: MeshWorkspace, id: SceneId): Promise<StoredRun> {
  for (let looks = 0; looks < 50; looks += 1) {
    const stored = await findRun(workspace, id)
    if (stored) return stored
    await pause(100)
  }
  throw new SceneError('nothing-to-resume', `scene '${id}' is open elsewhere and was not begun`)
}

export interface TakingOver {
  /** Takes the home's place in the scene, or fails with `hosted-elsewhere`. */
  take(): void
  /** Once the place is taken. */
  takeOver(): Promise<void>
}

/** When the place is free it is taken; what goes wrong with that fails the scene, not the process. */
export function takeOverLater(scene: OpenScene, taking: TakingOver): void {
  const timer = setInterval(() => {
    if (!scene.isUsable) return clearInterval(timer)
    try {
      if (!mayTake(taking)) return
    } catch (error) {
      clearInterval(timer)
      scene.cast.fail(error)
      return
    }
    clearInterval(timer)
    taking.takeOver().catch((error: unknown) => scene.cast.fail(error))
  }, PLACE_MS)
}

function mayTake(taking: TakingOver): boolean {
  try {
    taking.take()
    return true
  } catch (error) {
    if (error instanceof CastError && error.code === 'hosted-elsewhere') return false
    throw error
  }
}
