/** A mesh whose answer is lost on its way: what was asked is done, and who asked is told that it is away. */
import { MeshError, type MeshWorkspace } from 'dsh-fabric-mesh'

export const away = new MeshError('store-unavailable', 'no server answers')

/** The first call of this method is made, and its answer lost; then `meanwhile` happens. */
export function awayOnce(
  workspace: MeshWorkspace,
  part: 'states' | 'mailboxes' | 'topics',
  method: string,
  meanwhile: () => Promise<void> = async () => {},
): MeshWorkspace {
  let isLost = true
  const lossy = new Proxy(workspace[part], {
    get: (target, name) => {
      const real: unknown = Reflect.get(target, name)
      if (typeof real !== 'function') return real
      return async (...args: readonly unknown[]) => {
        const answer: unknown = await real.apply(target, args)
        if (name !== method || !isLost) return answer
        isLost = false
        await meanwhile()
        throw away
      }
    },
  })
  const { identity, topics, states, mailboxes } = workspace
  const snapshot = workspace.snapshot.bind(workspace)
  return { identity, topics, states, mailboxes, snapshot, [part]: lossy }
}
