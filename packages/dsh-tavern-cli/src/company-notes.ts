/** What a person is told of other hosts and of the mesh, in a line each. */
import type { Context } from '@deepseek-ai/cordis'
import type { Company } from 'dsh-tavern-cast'
import { type ParticipantId, seatName } from 'dsh-tavern-protocol'
import type { OpenScene, SeenHost } from 'dsh-tavern-scene'
import { z } from 'zod'

/** `tell` shows one line beside the scene. */
export function tellOfCompany(ctx: Context, scene: OpenScene, tell: (text: string) => void): void {
  ctx.on('host/changed', (host) => {
    const text = hostText(scene, host)
    if (text !== '') tell(text)
  })
  ctx.on('scene/taken-over', (taken) => {
    if (taken.scene === scene) {
      tell('The host of this scene has left. This process hosts it now; nothing is lost.')
    }
  })
  ctx.on('company/changed', ({ runId, key }) => {
    if (runId !== scene.run.id) return
    const text = companyText(scene, key)
    if (text !== '') tell(text)
  })
  tellOfMesh(ctx, tell)
}

export function tellOfMesh(ctx: Context, tell: (text: string) => void): void {
  ctx.on('mesh/waiting', (error) =>
    tell(`The mesh does not answer (${error.message}). Trying again until it does.`),
  )
  ctx.on('mesh/back', () => tell('The mesh answers again.'))
}

const emptySeat = z.object({ left: z.literal(true) })

/** Whoever sat there left it in good order. */
export function isEmpty(company: Company, seat: ParticipantId): boolean {
  return emptySeat.safeParse(recordOf(company, seat)?.[1].value).success
}

/** Says to the others that this person has left; a mesh that does not answer is not waited for. */
export async function leaveSeat(scene: OpenScene): Promise<void> {
  const { run } = scene
  const { id } = scene.speaker()
  const [name] = recordOf(run.company, id) ?? []
  if (name === undefined) return
  const leaving = run.company.put(`seat/${name}`, { seat: id, left: true }, id).catch(() => {})
  await Promise.race([leaving, new Promise((resolve) => setTimeout(resolve, 1000).unref())])
}

function recordOf(company: Company, seat: ParticipantId) {
  return company.of('seat').find(([name]) => company.seatOf(name) === seat)
}

/** Hosts of this scene's cast that are not there, a line each: who sits down now was not told when they went. */
export function absentHosts({ roles }: OpenScene): readonly string[] {
  const absent = roles?.hosted.filter(({ status }) => status === 'away' || status === 'left') ?? []
  const hosts = [...new Set(absent.map(({ host }) => host))]
  return hosts.map((host) => {
    const theirs = absent.filter((role) => role.host === host)
    const names = theirs.map(({ role }) => role).join(', ')
    const since = minuteOf(Math.max(...theirs.map((role) => role.since)))
    return goneText(
      theirs[0]?.name ?? host,
      theirs[0]?.status === 'left',
      `${names}; with it since ${since}`,
    )
  })
}

/** '' where nothing that it hosts is of this scene. */
function hostText(scene: OpenScene, { id, name, status }: SeenHost): string {
  const hosted = scene.roles?.hosted.filter(({ host }) => host === id) ?? []
  if (hosted.length === 0) return ''
  const names = hosted.map(({ role }) => role).join(', ')
  if (status === 'here') return `${name} is here (${names}).`
  return goneText(name, status === 'left', names)
}

function goneText(name: string, hasLeft: boolean, roles: string): string {
  const how = hasLeft ? 'has left' : 'is away'
  return `${name} ${how} (${roles}). What they owe waits for it; /move <character|narrator> <host> gives it to another.`
}

function companyText(scene: OpenScene, key: string): string {
  const [kind, name = ''] = key.split('/', 2)
  if (kind === 'host') {
    const record = scene.roles?.find(name)
    return record ? `${name} is with ${record.name} now.` : ''
  }
  const seat = kind === 'seat' ? scene.run.company.seatOf(name) : undefined
  if (seat === undefined) return ''
  return isEmpty(scene.run.company, seat)
    ? `${seatName(seat)} has left the table.`
    : `${seatName(seat)} sits down.`
}

function minuteOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
