/** The caps, checked when a turn is granted: pure, from the fold of the scene. */
import { type StageFold, tokensOf } from 'dsh-tavern-cast'
import type { CharacterId, RequestOutcome, Scene, TurnRequest } from 'dsh-tavern-protocol'

/** Caps of one sitting, beside the scene's own. */
export interface Limits {
  /** Beats the scene may hold in all; with it, auto play has no cap of its own. */
  readonly beats?: number
}

export interface GrantRequest {
  readonly scene: Scene
  readonly stage: StageFold
  readonly limits: Limits
  readonly kind: TurnRequest['kind']
  /** Beats granted for this request so far. */
  readonly granted: number
  /** Absent for a narration. */
  readonly actor?: CharacterId
}

/** Beats that the scene may still take beside those of its actors. */
export function roomFor({
  scene,
  stage,
  limits,
  kind,
}: Pick<GrantRequest, 'scene' | 'stage' | 'limits' | 'kind'>): number {
  if (limits.beats !== undefined) return Math.max(0, limits.beats - stage.beats)
  return kind === 'auto' ? Math.max(0, scene.caps.autoBeats - stage.autoBeats) : Infinity
}

type Cap = NonNullable<RequestOutcome['cap']>

/** The cap that stands in the way, or undefined when the turn is granted. */
export function refusedBy({
  scene,
  stage,
  limits,
  kind,
  granted,
  actor,
}: GrantRequest): Cap | undefined {
  const { caps } = scene
  if (limits.beats !== undefined && stage.beats >= limits.beats) return 'beats'
  if (granted >= caps.beatsPerLine) return 'beats-per-line'
  if (kind === 'auto' && limits.beats === undefined && stage.autoBeats >= caps.autoBeats) {
    return 'auto-beats'
  }
  if (stage.sceneTokens >= caps.sceneTokens) return 'scene-tokens'
  if (actor === undefined) return undefined
  const member = scene.cast.find(({ character }) => character === actor)
  const allowed = member?.tokens ?? caps.characterTokens
  return tokensOf(stage, actor) >= allowed ? 'character-tokens' : undefined
}
