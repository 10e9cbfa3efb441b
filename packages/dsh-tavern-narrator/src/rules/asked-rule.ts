/** A rule that somebody asked for by name, from claim to outcome. */
import type { RequestOutcome, TurnRequest } from 'dsh-tavern-protocol'
import type { RunCast } from 'dsh-tavern-cast'
import type { RuleTurn, SceneRules } from './scene-rules.ts'
import { ruleBeatId } from './triggers.ts'

export async function runAsked(
  cast: RunCast,
  rules: SceneRules | undefined,
  {
    request,
    turn,
  }: { readonly request: Extract<TurnRequest, { kind: 'rule' }>; readonly turn: RuleTurn },
): Promise<RequestOutcome> {
  const { id, rule, by, note = '' } = request
  await rules?.look(turn)
  const author = { id: by, name: cast.nameOf(by) }
  const seen = { kind: 'asked', author, text: note }
  const call = { id: ruleBeatId(id, rule), rule, cause: id, seen }
  const beats = (await rules?.runNamed(call, turn)) ?? []
  await rules?.look(turn)
  return { status: beats.length > 0 ? 'answered' : 'nobody', plans: [], beats, failures: [] }
}
