/** How a watcher hears of another process's commit: from that process at once; should it die first, a second later. */

/** A process killed between its commit and its word is heard of this late; nobody else waits for it. */
const SAFETY_MS = 1000

export interface NudgeHost {
  /** Whether another process committed since the last call. */
  changedElsewhere(): boolean
  heard(): void
}

export class Nudge {
  private readonly host: NudgeHost
  private timer: NodeJS.Timeout | undefined

  constructor(host: NudgeHost) {
    this.host = host
  }

  /** From the first watcher to the last; holds no process alive. */
  watch(watched: boolean): void {
    clearInterval(this.timer)
    this.timer = watched ? setInterval(() => this.look(), SAFETY_MS).unref() : undefined
  }

  look(): void {
    if (this.timer !== undefined && this.host.changedElsewhere()) this.host.heard()
  }
}
