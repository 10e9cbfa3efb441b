/** What the narrator's own model reads: a prompt that stays the same for a run, and a briefing for each request. */
import {
  briefing,
  type Named,
  oneLine,
  perceivedBy,
  readWorld,
  type RunCast,
} from 'dsh-tavern-cast'
import { characterParticipant, narratorId, type ParticipantId } from 'dsh-tavern-protocol'
import { type NarratorGuidance, narratorGuidance } from './guidance.ts'
import type { PlayedRequest } from './members.ts'

/** UTF-8 bytes of what happened in one briefing. */
const BRIEFING_BYTES = 12_288

export function narratorPrompt(cast: RunCast): string {
  const { scene } = cast.run
  const words = narratorGuidance[scene.language]
  const members = scene.cast.map(({ character, secrets }) => {
    const { name, about } = cast.profileOf(character)
    const told = secrets
      .map((secret) => `\n  (${words.secrets(name)}: ${oneLine(secret)})`)
      .join('')
    return `- ${name} <${characterParticipant(character)}>: ${about}${told}`
  })
  return [
    words.rules,
    words.title(scene.title),
    `[${words.premise}]\n${scene.premise}`,
    `[${words.cast}]\n${members.join('\n')}`,
    words.person(cast.persona, oneLine(scene.persona.description)),
    ...rulesSection(cast, words),
  ].join('\n\n')
}

function rulesSection({ run }: RunCast, words: NarratorGuidance): readonly string[] {
  const rules = Object.entries(run.scene.rules)
  if (rules.length === 0) return []
  const lines = rules.map(([name, { about }]) =>
    about ? `- ${name}: ${oneLine(about)}` : `- ${name}`,
  )
  return [`[${words.ruleList}]\n${lines.join('\n')}`]
}

export interface DirectingRequest {
  readonly request: PlayedRequest
  /** Beats still granted for it. */
  readonly left: number
  /** The last answer to it was of no use. */
  readonly again: boolean
}

export async function narratorBriefing(
  cast: RunCast,
  { request, left, again }: DirectingRequest,
  perceived: number,
): Promise<{ readonly text: string; readonly perceivedTo: number }> {
  const { run } = cast
  const words = narratorGuidance[run.scene.language]
  const [heard, world] = await Promise.all([
    perceivedBy(run, narratorId, perceived),
    readWorld(run),
  ])
  const named = (id: ParticipantId): Named => ({ id, name: cast.nameOf(id) })
  const text = briefing({
    language: run.scene.language,
    self: named(narratorId),
    present: run.stage.onStage.map((id) => named(characterParticipant(id))),
    seats: run.stage.seats.map(named),
    perceived: heard.beats,
    more: heard.more,
    world,
    lore: [],
    conflicts: [],
    cue: [...(again ? [words.unusable] : []), trigger(request, cast), words.decide(left)],
    budgetBytes: BRIEFING_BYTES,
  })
  return { text, perceivedTo: heard.to }
}

function trigger(request: PlayedRequest, { run }: RunCast): string {
  const words = narratorGuidance[run.scene.language]
  return request.kind === 'line'
    ? words.said(oneLine(request.line.author.name), oneLine(request.line.text))
    : words.goesOn
}
