/** One cue performed by one session: brief the character, let it answer, read the answer as a performance. */
import type { Context } from '@deepseek-ai/cordis'
import { activateLore } from 'dsh-tavern-lore'
import {
  type CharacterId,
  characterParticipant,
  type Cue,
  type Effect,
  effect as effectSchema,
  isCueId,
  type ParticipantId,
  type Performance,
  type PlacedBeat,
  seatName,
} from 'dsh-tavern-protocol'
import type { JsonValue } from 'dsh-fabric-protocol'
import { briefing, type Named, SECTION_BYTES } from './briefing.ts'
import { seededDraw } from './draw.ts'
import { guidance } from './guidance.ts'
import { displayName, expandFor } from './persona.ts'
import { cut, indented, leadingName, oneLine } from './quoting.ts'
import type { Run } from './run.ts'
import type { RunCast } from './run-cast.ts'
import type { Answer, SessionActor } from './session-actor.ts'
import { ownSpeech, type SpeechRequest, SpeechStream } from './speech.ts'
import { conflictsOf } from './stage-fold.ts'
import { knows, readWorld } from './world.ts'

/** UTF-8 bytes of what happened in one briefing. */
const BRIEFING_BYTES = 8192
const LORE_BYTES = 1024
/** UTF-8 bytes of one answer, as of one line of a person. */
const SPOKEN_BYTES = 32 * 1024
/** Beats looked back on at most; a character that was silent longer is told that more was left out. */
const LOOK_BACK = 500

export interface PerformRequest {
  readonly cue: Cue
  readonly actor: SessionActor
  readonly signal: AbortSignal
}

export async function performanceOf(
  ctx: Context,
  cast: RunCast,
  { cue, actor, signal }: PerformRequest,
): Promise<Performance> {
  const participant = characterParticipant(cue.character)
  let speech = new SpeechStream(speechOf(cast, cue.character))
  const answer = await actor.perform({
    cueId: cue.id,
    seed: cue.seed,
    ...cast.routeOf(cue.character, cue.route),
    signal,
    brief: (perceived, holds) => brief(cast, cue, { perceived, holds }),
    restart: () => {
      speech = new SpeechStream(speechOf(cast, cue.character))
      ctx.emit('performance/restarted', { runId: cast.run.id, cueId: cue.id })
    },
    delta: (piece) => {
      const text = speech.add(piece)
      if (text === '') return
      const { audience, id: cueId } = cue
      ctx.emit('performance/delta', { runId: cast.run.id, cueId, participant, audience, text })
    },
  })
  return performance(cast, cue, answer)
}

async function brief(
  cast: RunCast,
  cue: Cue,
  { perceived, holds }: { readonly perceived: number; readonly holds: (cueId: string) => boolean },
): Promise<{ readonly text: string; readonly perceivedTo: number }> {
  const { run } = cast
  const { scene, stage } = run
  const [heard, world] = await Promise.all([
    perceivedBy(run, characterParticipant(cue.character), perceived),
    readWorld(run),
  ])
  const named = (id: ParticipantId): Named => ({ id, name: cast.nameOf(id) })
  const present = stage.onStage.map((id) => named(characterParticipant(id)))
  const seats = stage.seats.map(named)
  const text = briefing({
    language: scene.language,
    self: named(characterParticipant(cue.character)),
    present,
    seats,
    perceived: heard.beats,
    more: heard.more,
    elsewhere: saidElsewhere(heard.beats, characterParticipant(cue.character), holds),
    world: world.filter((variable) => knows(cue.character, variable)),
    lore: loreFor(cast, cue, heard.beats),
    conflicts: conflictsOf(stage, cue.character),
    cue: cueLines(cast, cue, [...present, ...seats]),
    budgetBytes: BRIEFING_BYTES,
  })
  return { text, perceivedTo: heard.to }
}

/** A character that was moved has answered cues that its session here does not hold. */
function saidElsewhere(
  beats: readonly PlacedBeat[],
  self: ParticipantId,
  holds: (cueId: string) => boolean,
): ReadonlySet<string> {
  const answers = beats.filter(
    ({ beat }) => beat.author.id === self && beat.kind !== 'exit' && isCueId(beat.cause),
  )
  return new Set(answers.filter(({ beat }) => !holds(beat.cause)).map(({ id }) => id))
}

function cueLines(cast: RunCast, cue: Cue, here: readonly Named[]): readonly string[] {
  const words = guidance[cast.run.scene.language]
  const { from, audience, instruction } = cue
  const lines = [words.reason(cue.reason, from && leadingName(cast.nameOf(from)))]
  if (audience.kind === 'named') {
    const own = characterParticipant(cue.character)
    const hearers = here.filter(({ id }) => id !== own && audience.participants.includes(id))
    lines.push(words.answerPrivately(hearers.map(({ name }) => oneLine(name)).join(', ')))
  }
  if (instruction) lines.push(words.instruction(cut(indented(instruction), SECTION_BYTES)))
  return [...lines, words.speakNow(oneLine(displayName(cast.cardOf(cue.character))))]
}

/** What this participant perceived after the sequence; `to` is the head when it was read. */
export async function perceivedBy(
  run: Run,
  participant: ParticipantId,
  after: number,
): Promise<{ readonly beats: readonly PlacedBeat[]; readonly to: number; readonly more: boolean }> {
  const to = run.stage.sequence
  const more = to - after > LOOK_BACK
  const beats = to === after ? [] : await run.read(more ? to - LOOK_BACK : after, LOOK_BACK)
  return {
    beats: beats.filter(
      ({ beat, sequence }) => sequence <= to && beat.heardBy.includes(participant),
    ),
    to,
    more,
  }
}

/** Entries of the character's own book that what it just heard brings to mind. */
function loreFor(cast: RunCast, cue: Cue, heard: readonly PlacedBeat[]): readonly string[] {
  const card = cast.cardOf(cue.character)
  const expand = (text: string) => expandFor(card, cast.persona, text)
  const entries = (card.book?.entries ?? [])
    .filter((entry) => !entry.constant)
    .map((entry) => ({
      ...entry,
      keys: entry.keys.map(expand),
      secondaryKeys: entry.secondaryKeys.map(expand),
      content: expand(entry.content),
    }))
  if (entries.length === 0) return []
  const { active } = activateLore({
    entries,
    texts: heard.map(({ beat }) => beat.text).toReversed(),
    budgetBytes: LORE_BYTES,
    draw: seededDraw(`${cue.seed}/lore`),
  })
  return active.map(({ content }) => content)
}

function performance(cast: RunCast, cue: Cue, answer: Answer): Performance {
  if (answer.status !== 'finished') return answer
  const { provider, model, usage, reused } = answer
  const produced = {
    provider,
    model,
    reused,
    effects: effectsOf(answer.metas),
    ...(usage ? { usage } : {}),
  }
  const text = cut(ownSpeech(answer.text, speechOf(cast, cue.character)), SPOKEN_BYTES)
  return text === '' ? { status: 'silent', ...produced } : { status: 'spoken', text, ...produced }
}

function speechOf(cast: RunCast, self: CharacterId): SpeechRequest {
  const others = [...cast.names].filter(([id]) => id !== self).map(([, name]) => name)
  const seats = cast.run.company.seats.map(seatName).filter((name) => name !== cast.persona)
  return { self: displayName(cast.cardOf(self)), others: [...others, cast.persona, ...seats] }
}

function effectsOf(metas: readonly JsonValue[]): readonly Effect[] {
  return metas.flatMap((meta) => {
    if (typeof meta !== 'object' || meta === null || !('effect' in meta)) return []
    const parsed = effectSchema.safeParse(meta['effect'])
    return parsed.success ? [parsed.data] : []
  })
}
