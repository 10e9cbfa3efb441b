/** Waits, and no longer than it is wanted. */

/** Resolves after so many milliseconds, or at once when aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const wake = () => resolve()
  signal?.addEventListener('abort', wake, { once: true })
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', wake)
}
