/** Plays a scene with marks in everything private, and searches every request byte of everybody else for them. */
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { boot } from 'dsh-tavern-cli'
import type { OpenScene } from 'dsh-tavern-scene'
import { type Canary, markFor, markScene, WRITTEN } from './canaries.ts'
import { type Heard, ListeningModel } from './listening-model.ts'

export const SCENES = ['ember-night', 'glass-ledger', 'chenzhong']
const ROUTE = { provider: 'listening', model: 'listening-1' }

export interface Found {
  readonly hits: readonly string[]
  readonly requests: number
  /** Marks that reached somebody who may know them: that the search can find anything at all. */
  readonly known: number
  readonly whispers: number
  /** Beats of the rule that keeps a secret. */
  readonly ruled: number
}

export interface Searching {
  /** Rows that every character's preset has besides its own. */
  readonly rows?: string
  readonly model?: (ctx: Context, onWhisper: (actor: string) => string) => ListeningModel
  readonly booted?: (ctx: Context) => void
}

/** Plays the scene once for each seed, with whispers, an exit and an entrance, and searches all that was sent. */
export async function search(
  scene: string,
  seeds: readonly number[],
  searching: Searching = {},
): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-leak-'))
  const canaries = [...markScene(scene, folder)]
  if (searching.rows !== undefined) addRows(join(folder, 'presets'), searching.rows)
  const ctx = await boot({
    home: join(folder, 'home'),
    retry: false,
    presetRoots: [join(folder, 'presets')],
    sceneRoots: [join(folder, 'scenes')],
  })
  const whispers = new Map<string, string>()
  searching.booted?.(ctx)
  const onWhisper = (actor: string) => {
    const mark = markFor('tool', actor, whispers.size)
    whispers.set(mark, actor)
    return mark
  }
  const model = searching.model?.(ctx, onWhisper) ?? new ListeningModel(ctx, onWhisper)
  ctx.llm.registerAdapter([ROUTE.provider], model)
  try {
    const found: Found[] = []
    let ruled = 0
    for (const seed of seeds) {
      const open = await ctx.scenes.open(scene, { start: 'new', seed, route: ROUTE })
      const told = await play(open, seed)
      const heard = await marksOfWhispers(open, whispers)
      const beats = await open.run.read(0, 500)
      ruled += beats.filter(({ beat }) => beat.text.includes(WRITTEN)).length
      found.push(count(model.heard.splice(0), [...canaries, ...told, ...heard]))
      await open.close()
    }
    return {
      hits: found.flatMap(({ hits }) => hits),
      requests: sum(found, (one) => one.requests),
      known: sum(found, (one) => one.known),
      whispers: whispers.size,
      ruled,
    }
  } finally {
    await ctx.fiber.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The marks of what the seat whispered. */
async function play(scene: OpenScene, seed: number): Promise<readonly Canary[]> {
  const { onStage } = scene.run.stage
  const confidant = onStage[seed % onStage.length] ?? ''
  const leaving = onStage[(seed + 1) % onStage.length] ?? ''
  const whispered = markFor('seat', confidant, seed)
  const missed = markFor('missed', leaving, seed)
  await say(scene, `Keep this: ${whispered}`, [confidant])
  await say(scene, 'Well, good evening, all of you.')
  await scene.exit(leaving)
  await say(scene, `While one of us is away: ${missed}`)
  await scene.enter(leaving)
  await say(scene, 'What did we miss?')
  const present = scene.run.scene.cast.map(({ character }) => character)
  return [
    { mark: whispered, knownTo: [confidant] },
    { mark: missed, knownTo: present.filter((character) => character !== leaving) },
  ]
}

async function say(scene: OpenScene, text: string, to?: readonly string[]): Promise<void> {
  const id = await scene.nextId('line')
  await (
    await scene.submit(scene.speaker(), { id, text, ...(to ? { to } : {}) })
  ).outcome
}

/** Who heard each whisper that a tool made, as its beat has it; one that was never settled nobody but its author. */
async function marksOfWhispers(
  scene: OpenScene,
  whispers: ReadonlyMap<string, string>,
): Promise<readonly Canary[]> {
  const beats = await scene.run.read(0, 500)
  return [...whispers].map(([mark, author]) => {
    const beat = beats.find(({ beat: { text } }) => text.includes(mark))?.beat
    const to = beat?.audience.kind === 'named' ? beat.audience.participants : []
    const hearers = to.map((id) => id.replace('character:', ''))
    return { mark, knownTo: [author, ...hearers] }
  })
}

function count(heard: readonly Heard[], canaries: readonly Canary[]): Found {
  const hits: string[] = []
  let known = 0
  for (const { actor, bytes } of heard) {
    for (const { mark, knownTo } of canaries) {
      if (!bytes.includes(mark)) continue
      if (actor === 'narrator' || knownTo.includes(actor)) known += 1
      else hits.push(`${actor} was sent ${mark}`)
    }
  }
  return { hits, known, requests: heard.length, whispers: 0, ruled: 0 }
}

function sum(found: readonly Found[], read: (one: Found) => number): number {
  return found.reduce((total, one) => total + read(one), 0)
}

/** Each scene has its own share of the seeds. */
export function seedsOf(scene: string, all: number): readonly number[] {
  const share = all / SCENES.length
  const first = SCENES.indexOf(scene) * share
  return Array.from({ length: share }, (_, index) => first + index + 1)
}

function addRows(presets: string, rows: string): void {
  for (const id of readdirSync(presets)) appendFileSync(join(presets, id, 'agent.cordis.yml'), rows)
}
