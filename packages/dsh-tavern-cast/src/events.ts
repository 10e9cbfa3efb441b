/** What the play tells those who watch in this process; truth is on the topic and in the mailboxes. */
import type {
  Audience,
  Cue,
  CueOutcome,
  ParticipantId,
  PlacedBeat,
  RequestOutcome,
  RunId,
} from 'dsh-tavern-protocol'

declare module '@deepseek-ai/cordis' {
  interface Events {
    'cue/queued'(payload: { readonly cue: Cue }): void
    'cue/claimed'(payload: { readonly cue: Cue }): void
    /** A piece of what is about to be said, in order; only its beat makes it said. */
    'performance/delta'(payload: {
      readonly runId: RunId
      readonly cueId: string
      readonly participant: ParticipantId
      readonly audience: Audience
      readonly text: string
    }): void
    /** The model is asked again: what came of this cue so far will not be said. */
    'performance/restarted'(payload: { readonly runId: RunId; readonly cueId: string }): void
    /** The session's answer is durable; nothing is published yet. */
    'performance/finished'(payload: { readonly runId: RunId; readonly cueId: string }): void
    'beat/published'(payload: { readonly runId: RunId; readonly placed: PlacedBeat }): void
    /** The settle was issued and is not durable yet. */
    'cue/settling'(payload: { readonly cue: Cue }): void
    'cue/settled'(payload: { readonly cue: Cue; readonly outcome: CueOutcome }): void
    /** The claim was taken back meanwhile: whoever has the cue now ends it. */
    'cue/lost'(payload: { readonly cue: Cue }): void
    /** A cue failed in another process, as the outcome of its request tells. */
    'cue/failed'(payload: {
      readonly runId: RunId
      readonly failure: RequestOutcome['failures'][number]
    }): void
    /** Another process wrote a record of the run's company, or took it away. */
    'company/changed'(payload: { readonly runId: RunId; readonly key: string }): void
  }
}
