/** What one cue says, from the request it answers: pure. */
import type { Run, UnheardBeat } from 'dsh-tavern-cast'
import {
  type Audience,
  type Cue,
  CueId,
  everyone,
  type Line,
  type Plan,
  type PlannedActor,
} from 'dsh-tavern-protocol'
import type { Act } from './act.ts'
import type { PlayedRequest } from './members.ts'

export interface CueRequest {
  readonly run: Run
  readonly request: PlayedRequest
  readonly index: number
  readonly actor: PlannedActor
  /** Rides on the first cue of its plan. */
  readonly plan: Plan | undefined
}

export function cueFor({ run, request, index, actor, plan }: CueRequest): Cue {
  const id = CueId(request.id, index)
  const from = causedBy(request)
  // what the narrator's model says of a cue is for the record: it knows what nobody else may
  const asked = request.kind === 'delegate' ? request.instruction : undefined
  return {
    id,
    requestId: request.id,
    index,
    runId: run.id,
    character: actor.character,
    reason: actor.reason,
    audience: answerAudience(request),
    seed: `${run.seed}/${id}`,
    ...(from === undefined ? {} : { from }),
    ...(asked === undefined ? {} : { instruction: asked }),
    ...(request.kind === 'delegate' ? { route: request.route } : {}),
    ...(plan ? { plan: { ...plan, actors: plan.actors.map(withoutInstruction) } } : {}),
  }
}

function causedBy(request: PlayedRequest): string | undefined {
  if (request.kind === 'line') return request.line.author.id
  return request.kind === 'delegate' ? request.by : undefined
}

function withoutInstruction({ character, reason }: PlannedActor): PlannedActor {
  return { character, reason }
}

/** A person's line as it stands on the topic. */
export function lineBeat(line: Line): UnheardBeat {
  const { author, audience, text, id } = line
  const kind = audience.kind === 'everyone' ? 'line' : 'whisper'
  return { kind, author, audience, cause: id, text }
}

/** A whisper is answered to those who heard it. */
function answerAudience(request: PlayedRequest): Audience {
  if (request.kind === 'delegate') return request.audience
  if (request.kind === 'auto' || request.line.audience.kind === 'everyone') return everyone
  const { participants } = request.line.audience
  return { kind: 'named', participants: [...new Set([...participants, request.line.author.id])] }
}

export function plannedActor(act: Act): readonly PlannedActor[] {
  if (act.kind !== 'cue') return []
  const { character, why } = act
  return [{ character, reason: 'directed', ...(why === '' ? {} : { instruction: why }) }]
}
