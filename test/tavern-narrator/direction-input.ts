/** Inputs of direction for its tests, and what is asked of the plans. */
import { direct } from '../../packages/dsh-tavern-narrator/src/direction.ts'
import type {
  DirectedMember,
  DirectionInput,
  DirectionRequest,
} from '../../packages/dsh-tavern-narrator/src/direction.ts'

export const member = (id: string, other: Partial<DirectedMember> = {}): DirectedMember => ({
  id,
  names: [id],
  talkativeness: 0,
  muted: false,
  onStage: true,
  ...other,
})
export const line = (text: string, author = 'seat:you'): DirectionRequest => ({
  kind: 'line',
  trigger: { author, text },
})

export const auto = (text?: string, author = 'character:mara'): DirectionRequest => ({
  kind: 'auto',
  ...(text === undefined ? {} : { trigger: { author, text } }),
})

export const whisper = (
  audience: readonly string[],
  text = 'psst',
  author = 'seat:you',
): DirectionRequest => ({ kind: 'line', trigger: { author, text }, audience })

export const trio = [member('mara'), member('ivo'), member('tess')]
export const talkers = trio.map((one) => ({ ...one, talkativeness: 0.5 }))

/** A person's greeting to three who are silent unless named; each test says what differs. */
export const input = (other: Partial<DirectionInput>): DirectionInput => ({
  direction: 'natural',
  selfResponses: false,
  members: trio,
  request: line('hello'),
  spokenSincePerson: [],
  seed: 'inn.1/line-1',
  limit: 6,
  ...other,
})

export const actors = (other: Partial<DirectionInput>) =>
  direct(input(other)).actors.map(({ character }) => character)

export const reasons = (other: Partial<DirectionInput>) =>
  direct(input(other)).actors.map(({ character, reason }) => `${character} ${reason}`)

/** Everyone that acts under some of many seeds, sorted. */
export const everChosen = (other: Partial<DirectionInput>) => {
  const seeds = Array.from({ length: 200 }, (_, index) => `seed ${index}`)
  return [...new Set(seeds.flatMap((seed) => actors({ ...other, seed })))].toSorted()
}
