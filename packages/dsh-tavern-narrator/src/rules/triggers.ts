/** Which rules a beat sets off: pure. */
import type { JsonValue } from 'dsh-fabric-protocol'
import {
  type Beat,
  narratorId,
  type RuleCondition,
  ruleCause,
  type RuleName,
  type Scene,
} from 'dsh-tavern-protocol'

/** What was counted so far, and what held when it was last looked at. */
export interface Watched {
  /** Beats that each rule with `every` has heard. */
  readonly counts: Readonly<Record<RuleName, number>>
  /** Rules whose condition was true. */
  readonly held: readonly RuleName[]
}

export function watchedAtFirst(scene: Scene): Watched {
  return { counts: {}, held: holding(scene, declaredValue(scene)) }
}

/** The rules that run for this beat, in the order of the scene. A rule's own beats, and the opening, set off none. */
export function dueFor(
  scene: Scene,
  { counts }: Watched,
  placed: { readonly id: string; readonly beat: Beat },
): { readonly due: readonly RuleName[]; readonly counts: Watched['counts'] } {
  const kind = ruleCause.safeParse(placed.beat.kind)
  if (!kind.success || isRuleBeat(placed) || placed.beat.cause === OPENING) {
    return { due: [], counts }
  }
  const counted = { ...counts }
  const due = Object.entries(scene.rules).flatMap(([name, { on, every }]) => {
    if (on === undefined && every === undefined) return []
    if (on && !on.includes(kind.data)) return []
    if (every === undefined) return [name]
    const heard = ((Object.hasOwn(counts, name) ? counts[name] : 0) ?? 0) + 1
    counted[name] = heard % every
    return heard % every === 0 ? [name] : []
  })
  return { due, counts: counted }
}

/** Rules whose condition is true, in the order of the scene. */
export function holding(
  scene: Scene,
  valueOf: (key: string) => JsonValue | undefined,
): readonly RuleName[] {
  return Object.entries(scene.rules).flatMap(([name, { when }]) =>
    when && isTrue(when, valueOf(when.key)) ? [name] : [],
  )
}

export function hasConditions({ rules }: Scene): boolean {
  return Object.values(rules).some(({ when }) => when !== undefined)
}

/** The beat of a rule that ran because of another beat, or because it was asked for. */
export function ruleBeatId(cause: string, rule: RuleName): string {
  return `${cause}@${rule}`
}

export function isRuleBeat({ id, beat }: { readonly id: string; readonly beat: Beat }): boolean {
  return beat.author.id === narratorId && /@[a-z0-9-]+(?:\/(?:roll|tell)\d+)?$/.test(id)
}

const OPENING = 'opening'

function isTrue({ is, atMost, atLeast }: RuleCondition, value: JsonValue | undefined): boolean {
  if (is !== undefined) return value === is
  if (typeof value !== 'number') return false
  return atMost === undefined ? value >= (atLeast ?? Infinity) : value <= atMost
}

function declaredValue({ world, variables }: Scene) {
  return (key: string): JsonValue | undefined => {
    if (Object.hasOwn(world, key)) return world[key]?.value
    return Object.hasOwn(variables, key) ? variables[key] : undefined
  }
}
