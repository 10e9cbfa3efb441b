/** `scenes`, `cast`, `transcript`, `world`: what a home holds, read without hosting anything. */
import type { Context } from '@deepseek-ai/cordis'
import { displayName, placedBeat, storedVariable } from 'dsh-tavern-cast'
import {
  type CharacterId,
  characterOf,
  narratorId,
  type ParticipantId,
  type PlacedBeat,
  type Scene,
  seatName,
} from 'dsh-tavern-protocol'
import { hostedBy, SceneError, type StoredRun } from 'dsh-tavern-scene'
import { json as jsonText, printable } from './printable.ts'
import { jsonLine, markdown } from './render.ts'

type Lines = AsyncGenerator<string>

export interface Listing {
  readonly json: boolean
  /** Told of each scene that cannot be played. */
  readonly broken: () => void
}

/** Every scene, those that are broken too, each with its error. */
export async function* scenesText(ctx: Context, { json, broken }: Listing): Lines {
  for (const id of await ctx.scenes.list()) {
    try {
      yield await sceneLine(ctx, id, json)
    } catch (error) {
      broken()
      const found = error instanceof Error ? error.message : String(error)
      yield json ? jsonText({ id, error: found }) : printable(`${id}: BROKEN: ${found}`)
    }
  }
}

async function sceneLine(ctx: Context, id: string, json: boolean): Promise<string> {
  const { title, language } = await ctx.scenes.read(id)
  const run = await ctx.scenes.findRun(id)
  return json
    ? jsonText({ id, title, language, run: run?.id ?? null })
    : printable(`${id}: ${title}${run ? ` (played: ${run.id})` : ''}`)
}

export async function* castText(ctx: Context, id: string, json: boolean): Lines {
  if (ctx.scenes.isShared) yield* hostedText(ctx, id, json)
  else yield* membersText(ctx, id, json)
}

async function* membersText(ctx: Context, id: string, json: boolean): Lines {
  const scene: Scene = await ctx.scenes.read(id)
  for (const { character, onStage, muted } of scene.cast) {
    const card = await ctx.cast.cards.get(character)
    const name = displayName(card)
    yield json
      ? jsonText({ id: character, name, onStage, muted, talkativeness: card.talkativeness })
      : printable(
          `${name} (${character})${onStage ? '' : ', away at the start'}${muted ? ', muted' : ''}`,
        )
  }
}

/** Who hosts whom in the newest run. It takes a moment: whether a host is there, its next sign tells. */
async function* hostedText(ctx: Context, id: string, json: boolean): Lines {
  const run = await requireRun(ctx, id)
  const roles = await ctx.scenes.rolesOf(run)
  for (const role of roles.all) {
    const hosted = roles.hosted.find((one) => one.role === role)
    yield json
      ? jsonText({ role, run: run.id, ...(hosted ?? { host: null }) })
      : printable(`${role}: ${hostedBy(hosted)}`)
  }
}

/** Every beat of the newest run, page by page. */
export async function* transcriptText(ctx: Context, id: string, format: 'md' | 'jsonl'): Lines {
  const run = await requireRun(ctx, id)
  const beats: PlacedBeat[] = []
  for await (const placed of beatsOf(ctx, run)) {
    if (format === 'jsonl') yield jsonLine(placed)
    else beats.push(placed)
  }
  if (format === 'jsonl') return
  const { title, language, cast } = run.scene
  const names = await namesOf(
    ctx,
    cast.map(({ character }) => character),
  )
  const nameOf = (participant: ParticipantId) =>
    names.get(characterOf(participant) ?? '') ?? idName(participant)
  yield markdown({ title, language, nameOf }, beats)
}

/** Without those whose card is gone. */
async function namesOf(ctx: Context, cast: readonly CharacterId[]) {
  const names = new Map<CharacterId, string>()
  for (const id of cast) {
    const card = await ctx.cast.cards.get(id).catch(() => undefined)
    if (card) names.set(id, displayName(card))
  }
  return names
}

function idName(id: ParticipantId): string {
  return characterOf(id) ?? (id === narratorId ? id : seatName(id))
}

export async function* worldText(ctx: Context, id: string, json: boolean): Lines {
  const run = await requireRun(ctx, id)
  const prefix = `run/${run.id}/world/`
  for (let after: string | undefined; ;) {
    const page = await ctx.scenes.workspace.states.list(prefix, {
      limit: 500,
      ...(after ? { after } : {}),
    })
    for (const { key, value, version, by } of page) {
      const name = key.slice(prefix.length)
      yield json
        ? jsonText({ key: name, ...storedVariable.parse(value), version, by })
        : worldLine(name, value, version)
    }
    after = page.at(-1)?.key
    if (page.length < 500) return
  }
}

function worldLine(key: string, stored: unknown, version: number): string {
  const { value, knownTo } = storedVariable.parse(stored)
  return printable(
    `${key} = ${JSON.stringify(value)} (version ${version})${knownTo ? `, known to ${knownTo.join(', ') || 'no character'}` : ''}`,
  )
}

async function* beatsOf(ctx: Context, run: StoredRun): AsyncGenerator<PlacedBeat> {
  const { topics } = ctx.scenes.workspace
  for (let after = 0; ;) {
    const page = await topics.read(`run/${run.id}`, { after, limit: 500 })
    for (const message of page) yield placedBeat(message)
    after = page.at(-1)?.sequence ?? after
    if (page.length < 500) return
  }
}

async function requireRun(ctx: Context, id: string): Promise<StoredRun> {
  const run = await ctx.scenes.findRun(id)
  if (run) return run
  await ctx.scenes.read(id)
  throw new SceneError('nothing-to-resume', `scene '${id}' was never played here`)
}
