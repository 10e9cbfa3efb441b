/** What a failed test says of the processes it started: what it still waited for, and what each wrote last. */
import { onTestFailed } from 'vitest'

export interface Witness {
  /** As it was started. */
  readonly args: readonly string[]
  readonly out: () => string
  readonly err: () => string
  /** Texts that the test waits for and that did not come, as `out: text`. */
  readonly awaited: ReadonlySet<string>
  /** How it ended; undefined while it runs. */
  readonly end: () => number | string | null | undefined
}

const LAST = 3000

/** Part of the failure's own message, however the test fails: it may have been one of many in a run that nobody watched. */
export function tellLastWords(of: Witness): void {
  onTestFailed(({ task }) => {
    const [error] = task.result?.errors ?? []
    if (error) error.message += `\n\n${lastWords(of)}`
  })
}

export function lastWords({ args, out, err, awaited, end }: Witness): string {
  const ended = end()
  const state = ended === undefined ? 'runs' : `ended ${ended}`
  const missing = [...awaited].map((text) => `  still awaited on ${text}`)
  return [
    `tavern ${args.join(' ')} (${state})`,
    ...missing,
    ...lastOf('out', out()),
    ...lastOf('err', err()),
  ].join('\n')
}

function lastOf(name: string, text: string): readonly string[] {
  if (text === '') return [`  ${name}: nothing`]
  const last = text.slice(-LAST).trimEnd()
  const cut = last.length < text.trimEnd().length ? ' (its end)' : ''
  return [`  ${name}${cut}:`, ...last.split('\n').map((line) => `    ${line}`)]
}
