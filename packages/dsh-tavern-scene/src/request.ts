/** Line in, beat and turn request out: pure. */
import {
  type Audience,
  type CharacterId,
  characterParticipant,
  everyone,
  type Line,
  type ParticipantId,
  participantId,
  type Route,
  type RuleName,
  type RunId,
  seatParticipant,
  type TurnRequest,
} from 'dsh-tavern-protocol'
import type { StageFold } from 'dsh-tavern-cast'
import { SceneError } from './error.ts'

/** What one line may hold; the mesh bounds the whole payload. */
const TEXT_BYTES = 32 * 1024
const INSTRUCTION_BYTES = 4 * 1024
/** Ids of cues and beats are made of it. */
const ID_BYTES = 200

export interface Speaker {
  readonly id: ParticipantId
  readonly name: string
}

/** The person in a seat of that name. Fails with `invalid-line` for a name that cannot be an id. */
export function speakerNamed(name: string): Speaker {
  const id = participantId.safeParse(seatParticipant(name))
  if (id.success) return { id: id.data, name }
  const found = JSON.stringify(name.slice(0, 60))
  throw new SceneError(
    'invalid-line',
    `a person's name is one line of 1 to 251 characters, found ${found}`,
  )
}

export interface SpokenLine {
  /** Its dedupe id. */
  readonly id: string
  readonly text: string
  /** Absent: said for everyone on stage. */
  readonly to?: readonly CharacterId[]
}

export function lineFrom(author: Speaker, { id, text, to }: SpokenLine): Line {
  const words = text.trim()
  if (words === '') throw new SceneError('invalid-line', 'a line must not be empty')
  requireBytes('a line', words, TEXT_BYTES)
  requireBytes("a line's id", id, ID_BYTES)
  const audience: Audience = to
    ? { kind: 'named', participants: to.map(characterParticipant) }
    : everyone
  return { id, author, audience, text: words }
}

export function lineRequest(runId: RunId, line: Line): TurnRequest {
  return { kind: 'line', id: line.id, runId, line }
}

export function autoRequest(runId: RunId, id: string, stage: StageFold): TurnRequest {
  const { lastSaid } = stage
  return lastSaid ? { kind: 'auto', id, runId, trigger: lastSaid } : { kind: 'auto', id, runId }
}

export interface Delegation {
  readonly id: string
  readonly actor: CharacterId
  readonly by: ParticipantId
  readonly route: Route
  readonly instruction?: string
}

export function delegateRequest(runId: RunId, delegation: Delegation): TurnRequest {
  requireBytes('a direction', delegation.instruction ?? '', INSTRUCTION_BYTES)
  return { kind: 'delegate', runId, audience: everyone, ...delegation }
}

export interface AskedRule {
  readonly id: string
  readonly rule: RuleName
  readonly by: ParticipantId
  readonly note?: string
}

export function ruleRequest(runId: RunId, asked: AskedRule): TurnRequest {
  requireBytes('a note', asked.note ?? '', INSTRUCTION_BYTES)
  return { kind: 'rule', runId, ...asked }
}

function requireBytes(what: string, text: string, limit: number): void {
  const bytes = Buffer.byteLength(text)
  if (bytes <= limit) return
  throw new SceneError('invalid-line', `${what} may have ${limit} bytes, found ${bytes}`)
}
