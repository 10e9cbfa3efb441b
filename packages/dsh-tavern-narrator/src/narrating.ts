/** What the narrator itself does, as beats: a passage, or a change of place, time or mood. */
import {
  changeWorld,
  findVariable,
  narratorName,
  type Run,
  type UnheardBeat,
} from 'dsh-tavern-cast'
import { everyone, narratorId, type Usage, type WorldChange } from 'dsh-tavern-protocol'
import type { Act } from './act.ts'

export interface ActRequest {
  /** Of the beat; again the same after a crash. */
  readonly id: string
  readonly cause: string
  /** The model's turn that decided it, on the first of its beats only. */
  readonly spoken?: { readonly provider: string; readonly model: string; readonly usage?: Usage }
}

export async function publishAct(
  run: Run,
  act: Extract<Act, { kind: 'narrate' | 'scene' }>,
  { id, cause, spoken }: ActRequest,
): Promise<void> {
  const author = { id: narratorId, name: narratorName[run.scene.language] }
  const common = { author, audience: everyone, cause, ...spoken }
  const beat: UnheardBeat =
    act.kind === 'narrate'
      ? { kind: 'narration', ...common, text: act.text }
      : { kind: 'world', ...common, text: '', changes: await changes(run, act, { id, cause }) }
  await run.publish(id, beat)
}

/** The narrator sees the newest version, so it never meets a newer one but by a race. */
async function changes(
  run: Run,
  act: Extract<Act, { kind: 'scene' }>,
  { id, cause }: ActRequest,
): Promise<readonly WorldChange[]> {
  const made: WorldChange[] = []
  for (const key of ['place', 'time', 'mood'] as const) {
    const value = act[key]
    if (value === undefined) continue
    const expectedVersion = (await findVariable(run, key))?.version ?? 0
    const author = { id: `${id}/${key}`, by: narratorId, cause }
    made.push(await changeWorld(run, { kind: 'world', key, value, expectedVersion }, author))
  }
  return made
}
