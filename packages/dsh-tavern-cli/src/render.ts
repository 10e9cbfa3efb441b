/** Beats as text: for people, for a transcript, for programs. Pure. */
import { assertNever } from 'dsh-fabric-protocol'
import type { Beat, Language, ParticipantId, PlacedBeat } from 'dsh-tavern-protocol'
import { json, printable } from './printable.ts'
import { seatWords } from './seat-words.ts'

/** What a seat may know of a beat: undefined when that is nothing. */
export function perceived(placed: PlacedBeat, seat: ParticipantId): PlacedBeat | undefined {
  const { beat } = placed
  if (!beat.heardBy.includes(seat)) return undefined
  if (!('changes' in beat) || beat.changes === undefined) return placed
  const changes = beat.changes.filter(({ knownTo }) => knownTo === undefined)
  if (beat.kind === 'world') {
    if (changes.length === 0 && beat.text === '') return undefined
    return { ...placed, beat: { ...beat, changes } }
  }
  const { changes: _all, ...rest } = beat
  return { ...placed, beat: changes.length === 0 ? rest : { ...rest, changes } }
}

/** One beat for a program, on one line, with all that it holds. `at` and `id` are the only fields that two equal plays may differ in. */
export function jsonLine({ sequence, id, at, beat }: PlacedBeat): string {
  const { kind, author, text, audience, cause } = beat
  const spoken =
    'provider' in beat ? { provider: beat.provider, model: beat.model, usage: beat.usage } : {}
  const changes = 'changes' in beat && beat.changes ? { changes: beat.changes } : {}
  const rolled = beat.kind === 'roll' ? { dice: beat.dice, total: beat.total } : {}
  return json({
    seq: sequence,
    id,
    kind,
    author,
    text,
    audience,
    cause,
    ...spoken,
    ...changes,
    ...rolled,
    at,
  })
}

export interface Told {
  readonly title: string
  readonly language: Language
  readonly nameOf: (participant: ParticipantId) => string
}

export function markdown(told: Told, beats: readonly PlacedBeat[]): string {
  const paragraphs = beats.map(({ beat }) => markdownOf(beat, told)).filter((text) => text !== '')
  return printable([`# ${told.title}`, ...paragraphs].join('\n\n'))
}

function markdownOf(beat: Beat, { language, nameOf }: Told): string {
  switch (beat.kind) {
    case 'line':
      return `**${beat.author.name}:** ${beat.text}${changesText(beat)}`
    case 'whisper':
      return `**${beat.author.name}** *${seatWords[language].whispersTo(hearersOf(beat, nameOf))}*: ${beat.text}`
    case 'narration':
      return `*${beat.text}*${changesText(beat)}`
    case 'entrance':
    case 'exit':
    case 'roll':
    case 'notice':
      return `*${beat.text}*`
    case 'world':
      return worldText(beat)
    default:
      return assertNever(beat)
  }
}

/** '' when nothing of it is for everyone. */
function worldText(beat: Beat): string {
  const changes = changesText(beat)
  return changes === '' && beat.text === '' ? '' : `*${beat.text || beat.author.name}*${changes}`
}

/** ` [key = value]` for what really changed, '' otherwise. */
export function changesText(beat: Beat): string {
  if (!('changes' in beat) || !beat.changes) return ''
  const applied = beat.changes.filter(({ status, knownTo }) => status === 'applied' && !knownTo)
  if (applied.length === 0) return ''
  return ` [${applied.map(({ key, value }) => `${key} = ${JSON.stringify(value)}`).join(', ')}]`
}

/** Everyone but its author who perceives a whisper, by name. */
export function hearersOf({ audience, author }: Beat, nameOf: Told['nameOf']): string {
  if (audience.kind === 'everyone') return 'everyone'
  return audience.participants
    .filter((id) => id !== author.id)
    .map(nameOf)
    .join(', ')
}
