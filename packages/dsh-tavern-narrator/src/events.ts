/** What narrators tell those who watch in this process. */
import type { RequestOutcome, RunId } from 'dsh-tavern-protocol'

declare module '@deepseek-ai/cordis' {
  interface Events {
    'request/settled'(payload: {
      readonly runId: RunId
      readonly requestId: string
      readonly outcome: RequestOutcome
    }): void
    /** The store failed under a narrator: what it had claimed waits for a restart. */
    'narrator/failed'(payload: { readonly runId: RunId; readonly error: unknown }): void
  }
}
