/** What an agent reaches of the mesh: its workspace, or the part of one that somebody else lets it see. */
import type { Mailboxes, MeshWorkspace, States, Topics } from './mesh.ts'

/** What the mesh tool asks of a workspace; every `MeshWorkspace` is one. */
export interface MeshReach {
  readonly topics: Pick<Topics, 'create' | 'find' | 'publish' | 'read' | 'tail' | 'prune' | 'watch'>
  readonly states: Pick<States, 'find' | 'list' | 'compareAndSwap' | 'delete'>
  readonly mailboxes: Omit<Mailboxes, 'open' | 'list'>
  snapshot: MeshWorkspace['snapshot']
}

export type MeshAccess =
  | { readonly kind: 'restricted'; readonly reach: MeshReach }
  /** The agent reads the reason. */
  | { readonly kind: 'refused'; readonly reason: string }
