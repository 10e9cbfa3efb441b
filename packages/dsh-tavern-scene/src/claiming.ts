/** Which roles fall to whom where a scene begins, or its host has changed: a host that is here is left what it wants. */
import { narratorId, type Scene } from 'dsh-tavern-protocol'
import type { HostIdentity } from './host-identity.ts'
import type { OpenScene } from './open-scene.ts'
import type { SceneHosts } from './presence.ts'
import type { Role, Roles } from './roles.ts'

/** Whoever plays hosts what nobody has and nobody wants; a host that wants a role is left it, if it is here. */
export async function claimFree(
  { cast }: OpenScene,
  roles: Roles,
  hosts: SceneHosts,
): Promise<void> {
  const free = roles.all.filter((role) => !roles.find(role))
  const wanting = hosts.hosts.filter(({ wants, id: host }) => {
    const isOther = host !== hosts.self.id && hosts.statusOf(host) !== 'left'
    return isOther && wants.some((role) => free.includes(role))
  })
  await hosts.known(wanting.map((host) => host.id))
  // a host that seems away may be slow; who has no card could not stand in for it
  const canHost = (role: Role) => role === narratorId || cast.hasCard(role)
  const hostOf = (role: Role): HostIdentity => {
    const wants = wanting.filter((host) => host.wants.includes(role))
    const here = wants.find((host) => hosts.statusOf(host.id) === 'here')
    return here ?? (canHost(role) ? undefined : wants[0]) ?? hosts.self
  }
  await roles.claim(free, hostOf)
}

/** Whoever is here and wants to host a character has its card. */
export async function withoutWanted(scene: Scene, hosts: SceneHosts): Promise<Scene> {
  const wanting = hosts.hosts.filter(({ id, wants }) => id !== hosts.self.id && wants.length > 0)
  await hosts.known(wanting.map(({ id }) => id))
  const here = wanting.filter(({ id }) => hosts.statusOf(id) === 'here')
  const wanted = here.flatMap(({ wants }) => wants)
  return { ...scene, cast: scene.cast.filter(({ character }) => !wanted.includes(character)) }
}

/** The greeting comes before the first line, though its card be on another machine that is here. */
export async function awaitGreeting(
  { run, cast }: OpenScene,
  { roles, hosts, withinMs }: RolesWithHosts & { readonly withinMs: number },
): Promise<void> {
  const { greeting } = run.scene
  if (greeting === undefined || run.stage.beats !== 1 || cast.hasCard(greeting)) return
  const host = roles.find(greeting)?.host
  if (host === undefined || hosts.statusOf(host) !== 'here') return
  const signal = AbortSignal.timeout(withinMs)
  const after = run.stage.sequence
  for await (const _ of run.workspace.topics.watch(run.topicId, { after, signal })) break
  await run.caughtUp()
}

export interface RolesWithHosts {
  readonly roles: Roles
  readonly hosts: SceneHosts
}
