/** What one character reads for one cue: what it perceived since its cursor, the world it knows, and the cue. */
import { assertNever } from 'dsh-fabric-protocol'
import {
  type Beat,
  briefingHeadings,
  type CharacterId,
  characterOf,
  type Language,
  narratorId,
  type ParticipantId,
  type PlacedBeat,
  type WorldChange,
} from 'dsh-tavern-protocol'
import { type Guidance, guidance } from './guidance.ts'

export interface Named {
  readonly id: ParticipantId
  readonly name: string
}

export interface WorldVariable {
  readonly key: string
  readonly version: number
  readonly value: unknown
}

export interface BriefingRequest {
  readonly language: Language
  readonly self: Named
  /** On stage now, the character itself among them. */
  readonly present: readonly Named[]
  readonly seats: readonly Named[]
  /** Only what this character perceived, oldest first. */
  readonly perceived: readonly PlacedBeat[]
  /** More may have been perceived before `perceived` begins. */
  readonly more: boolean
  readonly world: readonly WorldVariable[]
  readonly lore: readonly string[]
  readonly conflicts: readonly WorldChange[]
  /** Why it acts now, and what is asked of it. */
  readonly cue: readonly string[]
  /** UTF-8 bytes for what happened; the newest that fits stays. */
  readonly budgetBytes: number
}

/** UTF-8 bytes for the other sections, each. */
export const SECTION_BYTES = 2048

export function briefing(request: BriefingRequest): string {
  const words = guidance[request.language]
  const heading = briefingHeadings[request.language]
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [heading.scene, sceneLines(request, words)],
    [heading.world, within(request.world.map(worldLine), SECTION_BYTES)],
    [
      heading.lore,
      within(
        request.lore.map((text) => `- ${indented(text)}`),
        SECTION_BYTES,
      ),
    ],
    [heading.happened, happenedLines(request, words)],
    [
      heading.notices,
      within(
        request.conflicts.flatMap((change) => noticeLine(change, words)),
        SECTION_BYTES,
      ),
    ],
    [heading.cue, request.cue],
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `[${title}]\n${lines.join('\n')}`)
    .join('\n\n')
}

function sceneLines({ present, seats, self }: BriefingRequest, words: Guidance): readonly string[] {
  const names = present.map(({ id, name }) =>
    named(id, id === self.id ? `${name}, ${words.you}` : name),
  )
  const lines = [words.onStage(names.join(', '))]
  if (seats.length > 0) {
    lines.push(words.seats(seats.map(({ id, name }) => named(id, name)).join(', ')))
  }
  return lines
}

/** Names with the ids that tools take. */
function named(id: ParticipantId, name: string): string {
  return `${oneLine(name)} <${id}>`
}

function worldLine({ key, version, value }: WorldVariable): string {
  return `- ${oneLine(key)} (version ${version}): ${JSON.stringify(value)}`
}

function happenedLines(request: BriefingRequest, words: Guidance): readonly string[] {
  const lines = request.perceived.flatMap(({ beat }) => beatLine(beat, request, words))
  const kept: string[] = []
  let bytes = 0
  for (const line of lines.toReversed()) {
    const size = byteLength(line) + 1
    if (bytes + size > request.budgetBytes) break
    kept.unshift(line)
    bytes += size
  }
  const leftOut = lines.length - kept.length
  const newest = lines.at(-1)
  if (kept.length === 0 && newest !== undefined) kept.push(cut(newest, request.budgetBytes))
  if (kept.length === 0) return [words.nothingHappened]
  return leftOut > 0 || request.more ? [words.leftOut(leftOut, request.more), ...kept] : kept
}

/** A beat as this character perceived it; its own lines stand in its session already. */
function beatLine(beat: Beat, request: BriefingRequest, words: Guidance): readonly string[] {
  const { self, language } = request
  const name = oneLine(beat.author.name)
  const isOwn = beat.author.id === self.id
  switch (beat.kind) {
    case 'line':
      return isOwn
        ? []
        : [`${name}: ${indented(beat.text)}${changesOf(beat.changes, self.id, words)}`]
    case 'whisper':
      return isOwn ? [] : [`${name} (${whispered(beat, request, words)}): ${indented(beat.text)}`]
    case 'entrance':
      return [`* ${name}${language === 'zh' ? '' : ' '}${words.enters} *`]
    case 'exit':
      return isOwn ? [] : [`* ${name}${language === 'zh' ? '' : ' '}${words.exits} *`]
    case 'world': {
      const changes = changesOf(beat.changes, self.id, words).trim()
      return isOwn || changes === ''
        ? []
        : [`* ${beat.text === '' ? name : indented(beat.text)} ${changes} *`]
    }
    case 'narration':
      return isOwn ? [] : [`* ${indented(beat.text)} *`]
    case 'roll':
      return [`* ${indented(beat.text)} *`]
    default:
      return assertNever(beat)
  }
}

function whispered(beat: Beat, { self, present, seats }: BriefingRequest, words: Guidance): string {
  if (beat.audience.kind === 'everyone') return words.whispersToYou
  const { participants } = beat.audience
  if (participants.includes(self.id)) return words.whispersToYou
  const hearers = [...present, ...seats].filter(({ id }) => participants.includes(id))
  return words.whispers(hearers.map(({ name }) => oneLine(name)).join(', '))
}

/** Applied changes of variables this character knows of. */
function changesOf(
  changes: readonly WorldChange[] | undefined,
  self: ParticipantId,
  words: Guidance,
): string {
  const shown = (changes ?? []).filter(
    (change) => change.status === 'applied' && mayKnow(change.knownTo, self),
  )
  if (shown.length === 0) return ''
  return ` ${words.changes(shown.map(({ key, value }) => `${oneLine(key)} = ${JSON.stringify(value)}`).join(', '))}`
}

/** The narrator knows of everything; a seat only of what everyone knows. */
function mayKnow(knownTo: readonly CharacterId[] | undefined, self: ParticipantId): boolean {
  const character = characterOf(self)
  if (knownTo === undefined || self === narratorId) return true
  return character !== undefined && knownTo.includes(character)
}

function noticeLine(change: WorldChange, words: Guidance): readonly string[] {
  if (change.status !== 'conflict') return []
  const { key, value, currentValue, currentVersion } = change
  return [
    `- ${words.conflict(oneLine(key), JSON.stringify(value), JSON.stringify(currentValue), currentVersion)}`,
  ]
}

/** The first lines that fit. */
function within(lines: readonly string[], budgetBytes: number): readonly string[] {
  let bytes = 0
  return lines.filter((line) => (bytes += byteLength(line) + 1) <= budgetBytes)
}

/** Text of others never starts a line of its own, so it can never look like a heading. */
export function indented(text: string): string {
  return text.trim().replaceAll(/\s*[\n\r\u2028\u2029]+/g, '\n  ')
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\n\r\u2028\u2029]+/g, ' ').trim()
}

function byteLength(text: string): number {
  return Buffer.byteLength(text)
}

/** At most this many UTF-8 bytes, never inside a character. */
export function cut(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text
  const head = Buffer.from(text)
    .subarray(0, Math.max(0, bytes - 3))
    .toString()
  return `${head.replace(/\uFFFD+$/, '')}…`
}
