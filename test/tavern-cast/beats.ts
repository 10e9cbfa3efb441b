/** Beats and briefing requests for tests; each test says what differs. */
import { type Beat, everyone, type ParticipantId, type PlacedBeat } from 'dsh-tavern-protocol'
import type { BriefingRequest } from '../../packages/dsh-tavern-cast/src/briefing.ts'

type Of<Kind extends Beat['kind']> = Partial<Omit<Extract<Beat, { kind: Kind }>, 'kind'>>

export const mara = { id: 'character:mara', name: 'Mara' } as const
export const pip = { id: 'character:pip', name: 'Pip' } as const
export const ellis = { id: 'seat:Ellis', name: 'Ellis' } as const
export const narrator = { id: 'narrator', name: 'Narrator' } as const

const common = { author: pip, audience: everyone, heardBy: [], cause: 'line-1', text: 'Hello.' }

export const line = (other: Of<'line'> = {}): Beat => ({ kind: 'line', ...common, ...other })
export const whisper = (other: Of<'whisper'> = {}): Beat => ({
  kind: 'whisper',
  ...common,
  audience: { kind: 'named', participants: [mara.id] },
  ...other,
})
export const narration = (other: Of<'narration'> = {}): Beat => ({
  kind: 'narration',
  ...common,
  author: narrator,
  ...other,
})
export const entrance = (other: Of<'entrance'> = {}): Beat => ({
  kind: 'entrance',
  ...common,
  character: 'pip',
  text: 'Pip comes in.',
  ...other,
})
export const exit = (other: Of<'exit'> = {}): Beat => ({
  kind: 'exit',
  ...common,
  character: 'pip',
  text: 'Pip leaves.',
  ...other,
})
export const world = (other: Of<'world'> = {}): Beat => ({
  kind: 'world',
  ...common,
  text: '',
  changes: [],
  ...other,
})
export const roll = (other: Of<'roll'> = {}): Beat => ({
  kind: 'roll',
  ...common,
  dice: 'd20',
  total: 7,
  ...other,
})

export const applied = (
  key: string,
  value: string | number | boolean,
  knownTo?: readonly string[],
) => ({ status: 'applied' as const, key, value, version: 2, ...(knownTo ? { knownTo } : {}) })

export const conflict = (key: string, value: string, currentValue: string) => ({
  status: 'conflict' as const,
  key,
  value,
  expectedVersion: 1,
  currentVersion: 2,
  currentValue,
})

export const placed = (...beats: readonly Beat[]): readonly PlacedBeat[] =>
  beats.map((beat, index) => ({ sequence: index + 1, id: `beat-${index + 1}`, at: 0, beat }))

export const hears = (...participants: readonly ParticipantId[]) => ({
  audience: { kind: 'named' as const, participants },
})

/** Mara's cue in a room with Pip and a person, after nothing happened. */
export const request = (other: Partial<BriefingRequest> = {}): BriefingRequest => ({
  language: 'en',
  self: mara,
  present: [mara, pip],
  seats: [ellis],
  perceived: [],
  more: false,
  world: [],
  lore: [],
  conflicts: [],
  cue: ['It is your turn.', 'Speak now, as Mara.'],
  budgetBytes: 8192,
  ...other,
})

/** The lines of one section of a briefing. */
export function section(text: string, heading: string): readonly string[] {
  const lines = text.split('\n')
  const start = lines.indexOf(`[${heading}]`)
  if (start < 0) return []
  const end = lines.findIndex((found, index) => index > start && found === '')
  return lines.slice(start + 1, end < 0 ? undefined : end)
}
