/** One directing turn of the narrator's own session: what it decided, or why that cannot be used. */
import type { Context } from '@deepseek-ai/cordis'
import { asJson, type JsonValue } from 'dsh-fabric-protocol'
import { type Answer, findStanding, type RunCast, sessionIdOf, stand } from 'dsh-tavern-cast'
import { narratorId, type Route, type Usage, usage as usageSchema } from 'dsh-tavern-protocol'
import { z } from 'zod'
import { type Act, act as actSchema } from './act.ts'
import { narratorGuidance } from './guidance.ts'
import { type DirectingRequest, narratorBriefing } from './prompt.ts'

/** The tool of scenes that have rules; no other narrator is offered it. */
export const RUN_RULE = 'run_rule'

export interface AskRequest extends DirectingRequest {
  /** Of this directing turn; the same in every repetition. */
  readonly turnId: string
  readonly route: Route
  readonly signal: AbortSignal
}

export type Decision =
  | {
      readonly status: 'decided'
      readonly acts: readonly Act[]
      readonly spoken: { readonly provider: string; readonly model: string; readonly usage?: Usage }
    }
  | { readonly status: 'unusable'; readonly code: string; readonly message: string }
  | { readonly status: 'cancelled' }

/** Of several narrators that come to decide the same turn, in a shared run, the first decision written down stands. */
export async function ask(ctx: Context, cast: RunCast, request: AskRequest): Promise<Decision> {
  const { turnId: id } = request
  if (!cast.isShared) return await asked(ctx, cast, request)
  const standing = await findStanding(cast.run, id)
  if (standing !== undefined) return decided(standing)
  const decision = await asked(ctx, cast, request)
  if (decision.status !== 'decided') return decision
  const { acts, spoken } = decision
  return decided(await stand(cast.run, { id, value: asJson({ acts, spoken }), by: narratorId }))
}

const decisionRecord = z.object({
  acts: z.array(actSchema).readonly(),
  spoken: z.object({ provider: z.string(), model: z.string(), usage: usageSchema.optional() }),
})

function decided(value: JsonValue): Decision {
  const { acts, spoken } = decisionRecord.parse(value)
  const { usage: spent, ...route } = spoken
  return { status: 'decided', acts, spoken: { ...route, ...(spent ? { usage: spent } : {}) } }
}

async function asked(ctx: Context, cast: RunCast, request: AskRequest): Promise<Decision> {
  const { run } = cast
  const route = narratorRoute(ctx, cast, request.route)
  const actor = await ctx.cast.actors.open({
    sessionId: sessionIdOf(run.id, 'narrator'),
    preset: 'narrator',
    note: narratorGuidance[run.scene.language].cutOff,
    ...route,
    ...(Object.keys(run.scene.rules).length > 0 ? {} : { without: [RUN_RULE] }),
  })
  const answer = await actor.perform({
    cueId: request.turnId,
    seed: `${run.seed}/${request.turnId}`,
    ...route,
    signal: request.signal,
    brief: (perceived) => narratorBriefing(cast, request, perceived),
  })
  ctx.emit('performance/finished', { runId: run.id, cueId: request.turnId })
  return decisionOf(answer)
}

/** Of one directing turn. */
const ACTS = 16

function decisionOf(answer: Answer): Decision {
  if (answer.status === 'cancelled') return answer
  if (answer.status === 'failed') return { ...answer, status: 'unusable' }
  const acts = answer.metas.flatMap(actOf).slice(0, ACTS)
  if (acts.length === 0) {
    return { status: 'unusable', code: 'NO_ACT', message: 'the narrator called none of its tools' }
  }
  const { provider, model, usage } = answer
  return { status: 'decided', acts, spoken: { provider, model, ...(usage ? { usage } : {}) } }
}

function actOf(meta: JsonValue): readonly Act[] {
  if (typeof meta !== 'object' || meta === null || !('act' in meta)) return []
  const parsed = actSchema.safeParse(meta['act'])
  return parsed.success ? [parsed.data] : []
}

/** The person's choice for all, then the scene's for its narrator, then the host's. */
function narratorRoute(
  ctx: Context,
  cast: RunCast,
  route: Route,
): { readonly provider: string; readonly model: string } {
  const own = cast.run.scene.narrator
  const base = ctx.cast.defaultModel
  return {
    provider: route.provider ?? own.provider ?? base.provider,
    model: route.model ?? own.model ?? base.model,
  }
}
