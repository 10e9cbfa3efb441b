/** A performance becomes beats: every write carries an id made of the cue's, so doing it again changes nothing. */
import {
  type Audience,
  characterParticipant,
  type Cue,
  type CueOutcome,
  type Effect,
  everyone,
  type Performance,
  type WorldChange,
} from 'dsh-tavern-protocol'
import { guidance } from './guidance.ts'
import type { RunCast } from './run-cast.ts'
import type { UnheardBeat } from './run.ts'
import { changeWorld } from './world.ts'

export type Produced = Extract<Performance, { status: 'spoken' | 'silent' }>

/** World first, then the cue's own beat, then whispers, then the exit. */
export async function commitPerformance(
  cast: RunCast,
  cue: Cue,
  performance: Produced,
): Promise<CueOutcome> {
  const changes = await changesOf(cast, cue, performance.effects)
  const beats = beatsOf(cast, cue, { performance, changes })
  let sequence = 0
  for (const [id, beat] of beats) {
    const placed = await cast.run.publish(id, beat)
    if (id === cue.id) sequence = placed.sequence
  }
  const ids = beats.map(([id]) => id)
  return sequence > 0
    ? { status: 'spoken', beats: ids, sequence }
    : { status: 'silent', beats: ids }
}

async function changesOf(
  cast: RunCast,
  cue: Cue,
  effects: readonly Effect[],
): Promise<readonly WorldChange[]> {
  const changes: WorldChange[] = []
  for (const [index, effect] of effects.entries()) {
    if (effect.kind !== 'world') continue
    const author = {
      id: `${cue.id}/world${index}`,
      by: characterParticipant(cue.character),
      cause: cue.id,
    }
    changes.push(await changeWorld(cast.run, effect, author))
  }
  return changes
}

function beatsOf(
  cast: RunCast,
  cue: Cue,
  made: { readonly performance: Produced; readonly changes: readonly WorldChange[] },
): readonly (readonly [string, UnheardBeat])[] {
  const id = characterParticipant(cue.character)
  const name = cast.names.get(cue.character) ?? cue.character
  const common = { author: { id, name }, cause: cue.id }
  const own = ownBeat(cue, common, made)
  const whispers = made.performance.effects.flatMap((effect, index): [string, UnheardBeat][] => {
    if (effect.kind !== 'whisper') return []
    const audience: Audience = { kind: 'named', participants: effect.to }
    return [
      [`${cue.id}/whisper${index}`, { kind: 'whisper', ...common, audience, text: effect.text }],
    ]
  })
  const exits: [string, UnheardBeat][] = made.performance.effects.some(
    ({ kind }) => kind === 'leave',
  )
    ? [[`${cue.id}/exit`, exitBeat(cast, cue, common)]]
    : []
  return [...(own ? [[cue.id, own] as const] : []), ...whispers, ...exits]
}

type Common = Pick<UnheardBeat, 'author' | 'cause'>

function ownBeat(
  cue: Cue,
  common: Common,
  {
    performance,
    changes,
  }: { readonly performance: Produced; readonly changes: readonly WorldChange[] },
): UnheardBeat | undefined {
  const { provider, model, usage } = performance
  const spoken = { ...common, provider, model, ...(usage ? { usage } : {}) }
  if (performance.status === 'spoken' && cue.audience.kind === 'named') {
    return { kind: 'whisper', ...spoken, audience: cue.audience, text: performance.text }
  }
  const changed = changes.length > 0 ? { changes } : {}
  if (performance.status === 'spoken') {
    return { kind: 'line', ...spoken, ...changed, audience: everyone, text: performance.text }
  }
  return changes.length > 0
    ? { kind: 'world', ...spoken, changes, audience: everyone, text: '' }
    : undefined
}

function exitBeat(cast: RunCast, cue: Cue, common: Common): UnheardBeat {
  const { language } = cast.run.scene
  const gap = language === 'zh' ? '' : ' '
  const text = `${common.author.name}${gap}${guidance[language].exits}`
  return { kind: 'exit', ...common, audience: everyone, character: cue.character, text }
}
