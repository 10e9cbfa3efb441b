/** Which model works on a delegated task. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { LlmRuntime } from '@deepseek-ai/dsh-llm'
import type { DelegationRefusal, DelegationRequest, Route } from './delegation.ts'

export type RouteChoice = { readonly status: 'chosen'; readonly route: Route } | DelegationRefusal

/** Names that were not given are the parent's; those that were must be known to the host. */
export async function delegatedRoute(
  llm: LlmRuntime,
  request: Pick<DelegationRequest, 'parent' | 'provider' | 'model'>,
): Promise<RouteChoice> {
  const own = routeOf(request.parent)
  const provider = request.provider ?? own.provider
  const model = request.model ?? own.model
  if (!provider || !model) {
    const reason = 'this session has no model yet: name --provider and --model'
    return { status: 'refused', code: 'no-model', reason }
  }
  const isAsked = request.provider !== undefined || request.model !== undefined
  const refusal = isAsked ? await unknown(llm, { provider, model }) : undefined
  return refusal ?? { status: 'chosen', route: { provider, model } }
}

/** The model that the session was last asked with, which a person may have changed since it began. */
function routeOf({ session, options }: Agent): Partial<Route> {
  return session.requestHeader()?.config ?? options
}

async function unknown(
  llm: LlmRuntime,
  { provider, model }: Route,
): Promise<DelegationRefusal | undefined> {
  const providers = llm.listProviders().map(({ id }) => id)
  if (!providers.includes(provider)) {
    const reason = `unknown provider '${provider}' (providers: ${listed(providers)})`
    return { status: 'refused', code: 'unknown-provider', reason }
  }
  const models = (await llm.listModels(provider)).map(({ id }) => id)
  // a provider that lists none takes any
  if (models.length === 0 || models.includes(model)) return undefined
  const reason = `provider '${provider}' has no model '${model}' (models: ${listed(models)})`
  return { status: 'refused', code: 'unknown-model', reason }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(', ')
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown || 'none'
}
