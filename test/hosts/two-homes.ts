/** Two homes on one store, in this process: one plays, the other hosts what is given to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Company } from 'dsh-tavern-cast'
import type { BootOptions } from 'dsh-tavern-cli'
import type { OpenScene } from 'dsh-tavern-scene'
import { onTestFinished, vi } from 'vitest'
import { startNats } from '../nats/server.ts'
import { openStage, scripted, type Stage, type StageFiles } from '../scenes/stage.ts'

export const LEASE_MS = 600

type MeshAddress = NonNullable<BootOptions['mesh']>

export const engines = ['sqlite', 'nats'] as const
export type Engine = (typeof engines)[number]

/** A store of its own: a file, or a server on loopback. */
export async function newMesh(engine: Engine = 'sqlite'): Promise<MeshAddress> {
  if (engine === 'nats') {
    const nats = await startNats()
    onTestFinished(() => nats.stop())
    return { kind: 'nats', servers: nats.servers, replicas: 1, tls: false }
  }
  const folder = mkdtempSync(join(tmpdir(), 'tavern-mesh-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { kind: 'sqlite', path: join(folder, 'mesh.sqlite') }
}

export interface Host {
  readonly stage: Stage
  readonly scene: OpenScene
  readonly id: string
}

/** The one that sits and hosts whatever nobody else does. */
export async function player(files: StageFiles, mesh: MeshAddress, name = 'east'): Promise<Host> {
  const stage = await openStage(files, { mesh, hostName: name, leaseMs: LEASE_MS })
  const scene = await stage.open('room')
  onTestFinished(() => stage.ctx.scenes.leave())
  return { stage, scene, id: stage.ctx.scenes.presence.self.id }
}

/** One that hosts these roles of the scene that the other began. */
export async function castHost(
  files: StageFiles,
  mesh: MeshAddress,
  {
    name = 'west',
    roles = [],
  }: { readonly name?: string; readonly roles?: readonly string[] } = {},
): Promise<Host> {
  const stage = await openStage(files, { mesh, hostName: name, leaseMs: LEASE_MS })
  const { scenes } = stage.ctx
  const { signal } = new AbortController()
  const stored = await scenes.begun('room', { signal })
  if (!stored) throw new Error('the scene was not begun')
  const scene = await scenes.hostRoles(stored, { roles, route: scripted })
  await scene.serve(signal)
  onTestFinished(() => scenes.leave())
  return { stage, scene, id: scenes.presence.self.id }
}

/** What a game master's move does from a third place, though the host that had the role be alive and well. */
export async function moveAway({ scene }: Host, role: string, to: Host): Promise<void> {
  const { id, workspace, narratorMailbox } = scene.run
  const company = new Company(workspace, id)
  await company.load()
  await company.put(`host/${role}`, { host: to.id, name: 'west', since: 0 }, 'seat:Ellis')
  const box = role === 'narrator' ? narratorMailbox : scene.run.mailboxOf(role)
  for (const message of await workspace.mailboxes.list(box, 'claimed')) {
    await workspace.mailboxes.release(box, message.id, { by: 'seat:Ellis', reason: 'moved' })
  }
}

/** Holds every write of this kind back until opened; `reached` resolves at the first. */
export function gate({ scene }: Host, holds: (key: string) => boolean) {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const { states, topics } = scene.run.workspace
  const swap = states.compareAndSwap.bind(states)
  const publish = topics.publishAt.bind(topics)
  const held = async (key: string) => {
    if (!holds(key)) return
    reached.resolve()
    await opened.promise
  }
  vi.spyOn(states, 'compareAndSwap').mockImplementation(async (request) => {
    await held(request.key)
    return await swap(request)
  })
  vi.spyOn(topics, 'publishAt').mockImplementation(async (topicId, post) => {
    await held(`beat ${post.id}`)
    return await publish(topicId, post)
  })
  return { reached: reached.promise, open: opened.resolve }
}
