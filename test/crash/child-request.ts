/** What the crash spec asks of a child that plays. */
export const killPoints = [
  'cue/queued',
  'cue/claimed',
  'performance/delta',
  'performance/finished',
  'beat/published',
  'cue/settling',
  'cue/settled',
] as const
export type KillPoint = (typeof killPoints)[number]

export interface ChildRequest {
  readonly home: string
  readonly scene: string
  readonly beats: number
  readonly seed: number
  readonly trace: string
  /** Dies at the `count`-th time this point is passed. */
  readonly kill?: { readonly point: KillPoint; readonly count: number }
  /** Milliseconds between the pieces of an answer, so that a kill can fall in between. */
  readonly pace: number
}
