/** Work given to a session of its own: the service `ctx.delegations`. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionId } from '@deepseek-ai/dsh-session'

declare module '@deepseek-ai/cordis' {
  interface Context {
    delegations: Delegations
  }
}

export interface Delegations {
  /** Resolves when the child has its task, before it works. */
  start(request: DelegationRequest): Promise<Delegation>
}

export interface DelegationRequest {
  readonly parent: Agent
  readonly prompt: string
  /** The parent's own route when absent; its provider when only that is. */
  readonly provider?: string
  readonly model?: string
  /** The child begins with what the parent's finished turns said. */
  readonly fork: boolean
  /** The parent is told how it ended, which wakes its model. */
  readonly report: boolean
}

export interface Route {
  readonly provider: string
  readonly model: string
}

export type Delegation =
  | {
      readonly status: 'started'
      readonly sessionId: SessionId
      readonly title: string
      readonly route: Route
    }
  | DelegationRefusal

export interface DelegationRefusal {
  readonly status: 'refused'
  readonly code:
    | 'unknown-provider'
    | 'unknown-model'
    /** The parent has no model of its own to hand on. */
    | 'no-model'
    /** `fork` of a session without a finished turn. */
    | 'nothing-to-fork'
  /** Names what there is. */
  readonly reason: string
}
