/** What a home holds of a run, read after its players are gone. */
import { readFileSync } from 'node:fs'
import { boot } from 'dsh-tavern-cli'
import { placedBeat, readWorld, Run } from 'dsh-tavern-cast'
import type { PlacedBeat } from 'dsh-tavern-protocol'
import { z } from 'zod'

export interface HomeState {
  readonly beats: readonly PlacedBeat[]
  readonly world: readonly {
    readonly key: string
    readonly value: unknown
    readonly version: number
  }[]
  /** Mailbox messages that are not settled. */
  readonly open: readonly string[]
}

export async function readHome(home: string, sceneId: string): Promise<HomeState> {
  const ctx = await boot({ home })
  try {
    const stored = await ctx.scenes.findRun(sceneId)
    if (!stored) throw new Error(`no run of '${sceneId}' in ${home}`)
    const { workspace } = ctx.scenes
    const run = await Run.open({ ctx, ...stored, workspace, seat: 'seat:reader' })
    const messages = await workspace.topics.read(run.topicId, { limit: 500 })
    const boxes = [
      run.narratorMailbox,
      ...stored.scene.cast.map(({ character }) => run.mailboxOf(character)),
    ]
    const mail = await Promise.all(
      boxes.map((box) => workspace.mailboxes.read(box, { limit: 500 })),
    )
    const world = await readWorld(run)
    return {
      beats: messages.map(placedBeat),
      world: world.map(({ key, value, version }) => ({ key, value, version })),
      open: mail
        .flat()
        .filter(({ status }) => status === 'queued' || status === 'claimed')
        .map(({ id }) => id),
    }
  } finally {
    await ctx.fiber.dispose()
  }
}

const tracedRequest = z.object({
  character: z.string(),
  purpose: z.string().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.array(z.looseObject({})) })),
})
export type TracedRequest = z.infer<typeof tracedRequest>

export function readTrace(path: string): readonly TracedRequest[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  // a killed process may leave its last line unfinished
  return lines.flatMap((line) => {
    try {
      return line === '' ? [] : [tracedRequest.parse(JSON.parse(line))]
    } catch {
      return []
    }
  })
}
