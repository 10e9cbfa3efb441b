/** Who acts for one request, and why: pure, and decided by its input and its seed alone. */
import { characterOf, isSeat } from 'dsh-tavern-protocol'
import type {
  CharacterId,
  CueReason,
  DirectionKind,
  ParticipantId,
  Plan,
  PlannedActor,
} from 'dsh-tavern-protocol'
import { chance, pick, seededDraws, shuffle } from './draws.ts'
import type { Draws } from './draws.ts'
import { findMentions } from './names.ts'

export interface DirectedMember {
  readonly id: CharacterId
  /** Its name and every other name it answers to. */
  readonly names: readonly string[]
  /** 0 to 1: how likely it speaks unasked; 0 speaks only when named. */
  readonly talkativeness: number
  /** Acts only when delegated to. */
  readonly muted: boolean
  readonly onStage: boolean
}

/** What is answered: the words, and whose they are. */
export interface Trigger {
  readonly author: ParticipantId
  readonly text: string
}

export type DirectionRequest =
  | {
      readonly kind: 'line'
      readonly trigger: Trigger
      /** The characters a whisper addresses; absent: everyone on stage heard it. */
      readonly audience?: readonly CharacterId[]
    }
  | {
      readonly kind: 'auto'
      /** What everyone heard last; a whisper is no trigger here, or it would show in who acts. */
      readonly trigger?: Trigger
    }
  | {
      readonly kind: 'delegate'
      readonly actor: CharacterId
      readonly instruction?: string
    }

export interface DirectionInput {
  /** `directed` is the narrator's model's; it falls back to one of these. */
  readonly direction: Exclude<DirectionKind, 'directed'>
  readonly selfResponses: boolean
  /** The whole cast in its order, absent ones too: their names are theirs also while they are away. */
  readonly members: readonly DirectedMember[]
  readonly request: DirectionRequest
  /** The character that spoke last, whoever spoke after it. */
  readonly lastSpeaker?: CharacterId
  /** The characters that spoke since a person's last line. */
  readonly spokenSincePerson: readonly CharacterId[]
  /** The character the rota reached last, also when it then failed; absent: the last speaker. */
  readonly rotaLast?: CharacterId
  readonly seed: string
  /** The most actors the plan may hold. */
  readonly limit: number
}

type Nobody = NonNullable<Plan['nobody']>

/** The same input gives the same plan. Actors are on stage, unmuted (unless delegated) and distinct. */
export function direct(input: DirectionInput): Plan {
  const { direction } = input
  const draws = seededDraws(input.seed)
  const found = actorsFor(input, draws)
  const actors = typeof found === 'string' ? [] : found.slice(0, Math.max(0, input.limit))
  if (actors.length > 0) return { direction, actors, draws: draws.draws }
  const nobody = typeof found === 'string' ? found : 'nobody-eligible'
  return { direction, actors, draws: draws.draws, nobody }
}

function actorsFor(input: DirectionInput, draws: Draws): readonly PlannedActor[] | Nobody {
  const { request } = input
  const onStage = input.members.filter((member) => member.onStage)
  if (onStage.length === 0) return 'empty-stage'
  if (request.kind === 'delegate') return delegated(request, onStage)
  const enabled = onStage.filter((member) => !member.muted)
  if (enabled.length === 0) return 'all-muted'
  if (request.kind === 'line' && request.audience !== undefined) {
    return whispered(input, request.trigger, new Set(request.audience))
  }
  return strategies[input.direction](input, draws)
}

const strategies: Readonly<
  Record<
    DirectionInput['direction'],
    (input: DirectionInput, draws: Draws) => readonly PlannedActor[] | Nobody
  >
> = { natural, rota, pooled, manual }

function delegated(
  request: Extract<DirectionRequest, { kind: 'delegate' }>,
  onStage: readonly DirectedMember[],
): readonly PlannedActor[] {
  const { actor, instruction } = request
  if (!onStage.some((member) => member.id === actor)) return []
  const told = instruction === undefined ? {} : { instruction }
  return [{ character: actor, reason: 'delegated', ...told }]
}

/**
 * Every character a whisper addresses answers it, those it names first: in every direction, because
 * whoever whispers has chosen. Nobody else does, and nobody answers its own whisper.
 */
function whispered(
  input: DirectionInput,
  trigger: Trigger,
  audience: ReadonlySet<CharacterId>,
): readonly PlannedActor[] {
  const addressed = input.members
    .filter((member) => mayAct(member) && audience.has(member.id))
    .map((member) => member.id)
    .filter((id) => id !== characterOf(trigger.author))
  const named = mentionedOf(input, trigger, addressed)
  return planned([...named, ...without(addressed, named)], 'whispered')
}

/**
 * Those the trigger names, in its order; then those whose talkativeness came up, in a random order;
 * when that is nobody, one at random of those that talk at all. All of them act.
 */
function natural(input: DirectionInput, draws: Draws): readonly PlannedActor[] {
  const eligible = eligibleFor(input).filter((id) => id !== bannedSpeaker(input))
  const mentioned = mentionedOf(input, triggerOf(input), eligible)
  if (mentioned.length >= input.limit) return planned(mentioned, 'mentioned')

  const talkativeness = new Map(input.members.map(({ id, talkativeness: talks }) => [id, talks]))
  const talkers = without(eligible, mentioned).filter((id) => (talkativeness.get(id) ?? 0) > 0)
  const talkative = talkers.filter((id) => {
    const probability = talkativeness.get(id) ?? 0
    return chance(draws, `talkativeness of ${id} (${probability})`, probability)
  })
  if (mentioned.length + talkative.length > 0) {
    const ordered = shuffle(draws, 'order of the talkative', talkative)
    return [...planned(mentioned, 'mentioned'), ...planned(ordered, 'talkative')]
  }
  return drawnOf(draws, talkers, 'drawn')
}

/**
 * A line is answered by all in cast order, from the top; when the limit is lower than their number,
 * from after the one the rota reached last, so that nobody is left out for ever. Auto takes one: the
 * next after that one, passing over who spoke last while there is another.
 */
function rota(input: DirectionInput): readonly PlannedActor[] {
  const eligible = eligibleFor(input)
  const turning = rotatedAfter(input, eligible)
  if (input.request.kind === 'auto') {
    return planned(preferringOthers(turning, bannedSpeaker(input)).slice(0, 1), 'rota')
  }
  return planned(eligible.length > input.limit ? turning : eligible, 'rota')
}

/** Exactly one: of those silent since a person's last line, or when all spoke, not who spoke last. */
function pooled(input: DirectionInput, draws: Draws): readonly PlannedActor[] {
  const eligible = eligibleFor(input)
  if (isAfterPerson(input)) return drawnOf(draws, eligible, 'pooled')
  const last = previousSpeaker(input)
  const silent = without(eligible, input.spokenSincePerson).filter((id) => id !== last)
  const pool = silent.length > 0 ? silent : preferringOthers(eligible, last)
  return drawnOf(draws, pool, 'pooled')
}

/** Nobody answers a line; auto draws one, not who spoke last while there is another. */
function manual(input: DirectionInput, draws: Draws): readonly PlannedActor[] | Nobody {
  if (input.request.kind === 'line') return 'manual'
  return drawnOf(draws, preferringOthers(eligibleFor(input), bannedSpeaker(input)), 'drawn')
}

/** In cast order; without the author of the line, unless self responses are on. */
function eligibleFor(input: DirectionInput): readonly CharacterId[] {
  const { request, selfResponses } = input
  const isLine = request.kind === 'line' && !selfResponses
  const author = isLine ? characterOf(request.trigger.author) : undefined
  return input.members
    .filter((member) => mayAct(member) && member.id !== author)
    .map((member) => member.id)
}

function mayAct(member: DirectedMember): boolean {
  return member.onStage && !member.muted
}

/** Names are looked for in the whole cast: an absent Old Tom is not taken for a present Tom. */
function mentionedOf(
  input: DirectionInput,
  trigger: Trigger | undefined,
  eligible: readonly CharacterId[],
): readonly CharacterId[] {
  if (trigger === undefined) return []
  return findMentions(trigger.text, input.members).filter((id) => eligible.includes(id))
}

/** Who may not go on talking to itself; nobody after a person's or the narrator's new line. */
function bannedSpeaker(input: DirectionInput): CharacterId | undefined {
  if (input.selfResponses || isAfterPerson(input)) return undefined
  const trigger = triggerOf(input)
  const isNewInput = input.request.kind === 'line' && trigger?.author === 'narrator'
  return isNewInput ? undefined : previousSpeaker(input)
}

function previousSpeaker(input: DirectionInput): CharacterId | undefined {
  const trigger = triggerOf(input)
  const author = trigger === undefined ? undefined : characterOf(trigger.author)
  return author ?? input.lastSpeaker
}

function isAfterPerson(input: DirectionInput): boolean {
  const trigger = triggerOf(input)
  return trigger !== undefined && isSeat(trigger.author)
}

function triggerOf({ request }: DirectionInput): Trigger | undefined {
  return request.kind === 'delegate' ? undefined : request.trigger
}

function rotatedAfter(
  input: DirectionInput,
  eligible: readonly CharacterId[],
): readonly CharacterId[] {
  const last = input.rotaLast ?? input.lastSpeaker
  const reached = input.members.findIndex((member) => member.id === last)
  const upTo = new Set(input.members.slice(0, reached + 1).map((member) => member.id))
  return [...eligible.filter((id) => !upTo.has(id)), ...eligible.filter((id) => upTo.has(id))]
}

function preferringOthers(
  ids: readonly CharacterId[],
  last: CharacterId | undefined,
): readonly CharacterId[] {
  const others = ids.filter((id) => id !== last)
  return others.length > 0 ? others : ids
}

function drawnOf(
  draws: Draws,
  ids: readonly CharacterId[],
  reason: CueReason,
): readonly PlannedActor[] {
  const chosen = pick(draws, `one of ${ids.length} that may act`, ids)
  return chosen === undefined ? [] : planned([chosen], reason)
}

function planned(ids: readonly CharacterId[], reason: CueReason): readonly PlannedActor[] {
  return ids.map((character) => ({ character, reason }))
}

function without(
  ids: readonly CharacterId[],
  left: readonly CharacterId[],
): readonly CharacterId[] {
  const gone = new Set(left)
  return ids.filter((id) => !gone.has(id))
}
