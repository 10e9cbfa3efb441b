/** The mesh's door: the port, its error, and the workspace identity rule. */
import type {} from '@deepseek-ai/cordis'
import type { Mesh } from './mesh.ts'

export * from './error.ts'
export * from './mesh.ts'
export * from './workspace-identity.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    mesh: Mesh
  }
}
