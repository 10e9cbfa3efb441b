/** The mesh's door: the port, its error, and the workspace identity rule. */
import type {} from '@deepseek-ai/cordis'
import type { MeshAccess } from './access.ts'
import type { Mesh } from './mesh.ts'

export * from './access.ts'
export { compareCodePoints } from './code-points.ts'
export * from './error.ts'
export * from './mesh.ts'
export { onceWritten } from './once-written.ts'
export * from './worker-key.ts'
export * from './workspace-identity.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    mesh: Mesh
  }
  interface Events {
    /**
     * Asks what the session of an agent reaches of the mesh before the mesh tool shows it anything. The first answer
     * holds; without one it is the whole workspace of the session's directory.
     * @mode bail
     */
    'mesh/access'(question: { readonly sessionId: string }): MeshAccess | undefined
  }
}
