/** What narrators tell those who watch in this process. */
import type { RequestOutcome, RunId } from 'dsh-tavern-protocol'

declare module '@deepseek-ai/cordis' {
  interface Events {
    'request/settled'(payload: {
      readonly runId: RunId
      readonly requestId: string
      readonly outcome: RequestOutcome
    }): void
    /** What a rule comes to is written down; nothing of it was done yet. */
    'rule/decided'(payload: { readonly runId: RunId; readonly id: string }): void
    /** The store failed: nothing more is answered, and what was claimed waits for the next opening. */
    'narrator/failed'(payload: { readonly runId: RunId; readonly error: unknown }): void
  }
}
