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
import { byteLength, cut, indented, leadingName, oneLine, valueText } from './quoting.ts'

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
  /** Ids of its own beats that its session does not hold: it said them on another machine. */
  readonly elsewhere?: ReadonlySet<string>
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
    [heading.world, items(request.world.map(worldLine), words)],
    [heading.lore, items(request.lore.map(indented), words)],
    [heading.happened, happenedLines(request, words)],
    [
      heading.notices,
      items(
        request.conflicts.flatMap((change) => noticeLine(change, words)),
        words,
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
  const lines = [words.onStage(fitting(names, words).join(', '))]
  if (seats.length > 0) {
    const persons = seats.map(({ id, name }) => named(id, name))
    lines.push(words.seats(fitting(persons, words).join(', ')))
  }
  return lines
}

/** Names with the ids that tools take. */
function named(id: ParticipantId, name: string): string {
  return `${oneLine(name)} <${oneLine(id)}>`
}

function worldLine({ key, version, value }: WorldVariable): string {
  return `${oneLine(key)} (version ${version}): ${valueText(value)}`
}

function happenedLines(request: BriefingRequest, words: Guidance): readonly string[] {
  const { perceived, more, budgetBytes } = request
  const lines = perceived.flatMap((placed) => beatLine(placed, request, words))
  const kept = newestWithin(lines, budgetBytes)
  const leftOut = lines.length - kept.length
  const shown = kept.length > 0 ? kept : [words.nothingHappened]
  return leftOut > 0 || more ? [words.leftOut(leftOut, more), ...shown] : shown
}

/** Oldest first; a newest line that does not fit alone is cut. */
function newestWithin(lines: readonly string[], budgetBytes: number): readonly string[] {
  let bytes = 0
  const tooOld = lines.findLastIndex((line) => (bytes += byteLength(line) + 1) > budgetBytes)
  const newest = lines.at(-1)
  if (newest === undefined || tooOld < lines.length - 1) return lines.slice(tooOld + 1)
  return [cut(newest, budgetBytes)]
}

/** A beat as this character perceived it; its own lines stand in its session already. */
function beatLine(
  { id, beat }: PlacedBeat,
  request: BriefingRequest,
  words: Guidance,
): readonly string[] {
  const { self, language, elsewhere } = request
  const name = leadingName(beat.author.name)
  const isOwn = beat.author.id === self.id && !elsewhere?.has(id)
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
      return isOwn ? [] : [`* ${indented(beat.text)}${changesOf(beat.changes, self.id, words)} *`]
    case 'roll':
    case 'notice':
      return [`* ${indented(beat.text)} *`]
    default:
      return assertNever(beat)
  }
}

function whispered(beat: Beat, { self, present, seats }: BriefingRequest, words: Guidance): string {
  if (beat.audience.kind === 'everyone') return words.whispersToYou
  const { participants } = beat.audience
  if (participants.includes(self.id)) return words.whispersToYou
  const names = new Map([...present, ...seats].map(({ id, name }) => [id, name]))
  const hearers = participants.filter((id) => id !== beat.author.id)
  // one that has left since is known by its id alone
  const shown = hearers.map((id) => oneLine(names.get(id) ?? id.slice(id.indexOf(':') + 1)))
  return words.whispers(shown.join(', '))
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
  return ` ${words.changes(shown.map(({ key, value }) => `${oneLine(key)} = ${valueText(value)}`).join(', '))}`
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
  return [words.conflict(oneLine(key), valueText(value), valueText(currentValue), currentVersion)]
}

function items(texts: readonly string[], words: Guidance): readonly string[] {
  return fitting(texts, words).map((text) => `- ${text}`)
}

/** Those that fit, and at the end how many do not. */
function fitting(texts: readonly string[], words: Guidance): readonly string[] {
  let bytes = 0
  const kept = texts.filter((text) => {
    const size = byteLength(text) + '- \n'.length
    if (bytes + size > SECTION_BYTES) return false
    bytes += size
    return true
  })
  const left = texts.length - kept.length
  return left > 0 ? [...kept, words.more(left)] : kept
}
