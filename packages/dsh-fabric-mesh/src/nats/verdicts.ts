/** Who waits to hear what its own command came to. */
import type { Claimed, Open } from './fold.ts'

/** What a command came to at its place in the log. */
export interface Verdict {
  readonly effective: boolean
  readonly claimed?: Claimed | undefined
  readonly open?: Open | undefined
}

/** Undefined where the command's place was skipped by a checkpoint: the state then tells. */
type Tell = (verdict: Verdict | undefined) => void

export class Verdicts {
  private readonly waiting = new Map<string, Set<Tell>>()

  /** Of the command with the subject, from now on; returns how to stop. */
  expect(subject: string, tell: Tell): () => void {
    const known = this.waiting.get(subject) ?? new Set()
    this.waiting.set(subject, known.add(tell))
    return () => {
      known.delete(tell)
      if (known.size === 0 && this.waiting.get(subject) === known) this.waiting.delete(subject)
    }
  }

  tell(subject: string, verdict: Verdict): void {
    for (const tell of this.waiting.get(subject) ?? []) tell(verdict)
  }

  /** Commands may have been skipped. */
  skipped(): void {
    for (const tells of this.waiting.values()) for (const tell of tells) tell(undefined)
  }
}
