/** A run as direction sees it. */
import { assertNever } from 'dsh-fabric-protocol'
import type { RunCast } from 'dsh-tavern-cast'
import { characterOf, type TurnRequest } from 'dsh-tavern-protocol'
import type { DirectedMember, DirectionInput, DirectionRequest } from './direction.ts'

/** A request that characters answer. */
export type PlayedRequest = Exclude<TurnRequest, { kind: 'rule' }>

/** What direction needs of a run's cast. */
export interface DirectedCast extends Pick<RunCast, 'profileOf'> {
  readonly run: Pick<RunCast['run'], 'scene' | 'stage' | 'seed'>
}

export function directionInput(cast: DirectedCast, request: PlayedRequest): DirectionInput {
  const { scene, stage, seed } = cast.run
  return {
    direction: scene.direction === 'directed' ? 'natural' : scene.direction,
    selfResponses: scene.selfResponses,
    members: membersOf(cast),
    request: directionRequest(request),
    ...(stage.lastSpeaker === undefined ? {} : { lastSpeaker: stage.lastSpeaker }),
    spokenSincePerson: stage.spokenSincePerson,
    seed: `${seed}/${request.id}`,
    limit: scene.caps.beatsPerLine,
  }
}

function membersOf(cast: DirectedCast): readonly DirectedMember[] {
  const { run } = cast
  return run.scene.cast.map((member) => {
    const { names, talkativeness } = cast.profileOf(member.character)
    return {
      id: member.character,
      names,
      talkativeness: member.talkativeness ?? talkativeness,
      muted: member.muted,
      onStage: run.stage.onStage.includes(member.character),
    }
  })
}

function directionRequest(request: PlayedRequest): DirectionRequest {
  switch (request.kind) {
    case 'line': {
      const { author, text, audience } = request.line
      const trigger = { author: author.id, text }
      if (audience.kind === 'everyone') return { kind: 'line', trigger }
      const addressed = audience.participants.flatMap((id) => characterOf(id) ?? [])
      return { kind: 'line', trigger, audience: addressed }
    }
    case 'auto':
      return request.trigger ? { kind: 'auto', trigger: request.trigger } : { kind: 'auto' }
    case 'delegate': {
      const { actor, instruction } = request
      return instruction === undefined
        ? { kind: 'delegate', actor }
        : { kind: 'delegate', actor, instruction }
    }
    default:
      return assertNever(request)
  }
}
