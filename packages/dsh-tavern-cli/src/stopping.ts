/** What ends a sitting from outside: a signal to the process, or a fault that the play does not survive. */
/** The process was told to end; what is owed is kept for the next opening. */
export class Interrupted extends Error {
  readonly exitCode: number

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`ended by ${signal}`)
    this.exitCode = signal === 'SIGINT' ? 130 : 143
  }
}

/** Aborted with `Interrupted` at the first such signal; a second one of its kind ends the process at once. */
export function interruptSignal(): { readonly signal: AbortSignal; readonly dispose: () => void } {
  const interrupted = new AbortController()
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((name) => {
    const listener = () => interrupted.abort(new Interrupted(name))
    process.once(name, listener)
    return () => process.off(name, listener)
  })
  return { signal: interrupted.signal, dispose: () => listeners.forEach((off) => off()) }
}

/** The task's result; fails with the signal's reason as soon as that is aborted. */
export async function unless<T>(stop: AbortSignal, task: Promise<T>): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const abort = () => stopped.reject(stop.reason)
  stop.addEventListener('abort', abort, { once: true })
  if (stop.aborted) abort()
  try {
    return await Promise.race([task, stopped.promise])
  } finally {
    stop.removeEventListener('abort', abort)
  }
}
