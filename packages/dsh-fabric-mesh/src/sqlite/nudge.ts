/** Tells other processes of a commit by touching a file beside the store, and hears of theirs. */
import { type FSWatcher, closeSync, futimesSync, openSync, watch } from 'node:fs'

/** A process killed between its commit and its touch is heard of this late; nobody else waits for it. */
const SAFETY_MS = 1000

export interface NudgeHost {
  /** The path of the store. */
  readonly path: string
  /** Whether another process committed since the last call. */
  changedElsewhere(): boolean
  heard(): void
}

export class Nudge {
  private readonly host: NudgeHost
  private readonly path: string
  private readonly file: number
  private watcher: FSWatcher | undefined
  private timer: NodeJS.Timeout | undefined
  private readonly look = (): void => {
    if (this.host.changedElsewhere()) this.host.heard()
  }

  constructor(host: NudgeHost) {
    this.host = host
    this.path = `${host.path}-nudge`
    this.file = openSync(this.path, 'a', 0o600)
  }

  /** After the commit, so that who comes running finds it. Changes a time stamp, writes no bytes. */
  touch(): void {
    const now = Date.now() / 1000
    try {
      futimesSync(this.file, now, now)
    } catch {
      // The commit stands; the others' timers tell them of it.
    }
  }

  /** From the first watcher on; holds no process alive. */
  listen(): void {
    if (this.timer !== undefined) return
    this.timer = setInterval(this.look, SAFETY_MS).unref()
    try {
      this.watcher = watch(this.path, { persistent: false }, this.look)
      this.watcher.on('error', () => this.watcher?.close())
    } catch {
      // A file system that cannot be watched: the timer alone tells.
    }
  }

  close(): void {
    clearInterval(this.timer)
    this.watcher?.close()
    closeSync(this.file)
  }
}
