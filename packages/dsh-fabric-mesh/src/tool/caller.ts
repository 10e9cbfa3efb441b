/** Who calls, and all that a call of the tool works with. */
import type { MeshReach } from '../access.ts'
import type { Author, Worker } from '../mesh.ts'
import type { Grants } from './grants.ts'
import type { UnhandedClaims } from './unhanded-claims.ts'

export interface Caller {
  /** The live agent itself; only its identity counts. */
  readonly agent: object
  readonly reach: MeshReach
  readonly author: Author
  readonly worker: Worker
  readonly grants: Grants
  readonly unhandedClaims: UnhandedClaims
  readonly signal: AbortSignal
}
