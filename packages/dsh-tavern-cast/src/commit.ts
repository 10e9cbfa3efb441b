/** A performance becomes beats, the cue's own first, then whispers, then an exit: every write carries an id made of the cue's, so doing it again changes nothing. */
import {
  type Audience,
  characterParticipant,
  type Cue,
  type CueOutcome,
  type Effect,
  everyone,
  type WorldChange,
} from 'dsh-tavern-protocol'
import { CastError } from './error.ts'
import { guidance } from './guidance.ts'
import type { RunCast } from './run-cast.ts'
import type { UnheardBeat } from './run.ts'
import { asStanding, type Produced, stand, standingPerformance } from './standing.ts'
import { changeWorld } from './world.ts'

/** What a performance comes to: the beats to publish, in order, and how the cue then ends. */
export interface Committed {
  readonly beats: readonly (readonly [string, UnheardBeat])[]
  readonly outcome: CueOutcome
}

/** UTF-8 bytes of one beat's JSON; conflicts and hearers come to it, and the mesh takes 256 KiB. */
const BEAT_BYTES = 160 * 1024

/**
 * Changes the world; the beats are the caller's to publish. Fails with `too-large`, before anything
 * is changed, for a beat that the store would not hold. In a shared run the performance that was
 * written down first is the one that is committed, by whoever commits.
 */
export async function commitPerformance(
  cast: RunCast,
  cue: Cue,
  given: Produced,
): Promise<Committed> {
  const expected = beatsOf(cast, cue, {
    performance: given,
    changes: expectedChanges(given.effects),
  })
  for (const [, beat] of expected) requireFits(beat)
  const performance = cast.isShared ? await standing(cast, cue, given) : given
  const changes = await changesOf(cast, cue, performance.effects)
  const beats = beatsOf(cast, cue, { performance, changes })
  if (beats[0]?.[0] !== cue.id) await cast.run.spend(cue.character, cue.id, performance.usage)
  const ids = beats.map(([id]) => id)
  return { beats, outcome: { status: ids[0] === cue.id ? 'spoken' : 'silent', beats: ids } }
}

async function standing(cast: RunCast, cue: Cue, performance: Produced): Promise<Produced> {
  const by = characterParticipant(cue.character)
  const value = await stand(cast.run, { id: cue.id, value: asStanding(performance), by })
  return standingPerformance(cast.run, cue.id, value)
}

function requireFits(beat: UnheardBeat): void {
  const bytes = Buffer.byteLength(JSON.stringify(beat))
  if (bytes <= BEAT_BYTES) return
  throw new CastError('too-large', `a beat may have ${BEAT_BYTES} bytes, found ${bytes}`)
}

/** As they will stand on the beat if nobody was quicker; a conflict tells at most a little more of each. */
function expectedChanges(effects: readonly Effect[]): readonly WorldChange[] {
  return effects.flatMap((effect) => {
    if (effect.kind !== 'world') return []
    const { key, value, expectedVersion } = effect
    return [{ status: 'applied' as const, key, value, version: expectedVersion + 1 }]
  })
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
  const { name } = cast.profileOf(cue.character)
  const common = { author: { id, name }, cause: cue.id }
  const own = ownBeats(cue, common, made)
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
  return [...own, ...whispers, ...exits]
}

type Common = Pick<UnheardBeat, 'author' | 'cause'>

/** A whisper cannot carry what it changed in the world, so that stands in a beat beside it. */
function ownBeats(
  cue: Cue,
  common: Common,
  {
    performance,
    changes,
  }: { readonly performance: Produced; readonly changes: readonly WorldChange[] },
): readonly (readonly [string, UnheardBeat])[] {
  const { provider, model, usage } = performance
  const spoken = { ...common, provider, model, ...(usage ? { usage } : {}) }
  const changed = { kind: 'world' as const, changes, audience: everyone, text: '' }
  if (performance.status === 'silent') {
    return changes.length > 0 ? [[cue.id, { ...spoken, ...changed }]] : []
  }
  const { text } = performance
  if (cue.audience.kind === 'named') {
    const whisper = { kind: 'whisper' as const, ...spoken, audience: cue.audience, text }
    const beside: UnheardBeat = { ...common, ...changed }
    return [
      [cue.id, whisper],
      ...(changes.length > 0 ? [[`${cue.id}/world`, beside] as const] : []),
    ]
  }
  const carried = changes.length > 0 ? { changes } : {}
  return [[cue.id, { kind: 'line', ...spoken, ...carried, audience: everyone, text }]]
}

function exitBeat(cast: RunCast, cue: Cue, common: Common): UnheardBeat {
  const { language } = cast.run.scene
  const gap = language === 'zh' ? '' : ' '
  const text = `${common.author.name}${gap}${guidance[language].exits}`
  return { kind: 'exit', ...common, audience: everyone, character: cue.character, text }
}
