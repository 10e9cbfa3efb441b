/** The line behind `/delegate`: flags first, then the task as it stands. */

export interface DelegateLine {
  readonly prompt: string
  readonly provider?: string
  readonly model?: string
  readonly fork: boolean
  readonly report: boolean
}

export type ReadLine =
  | { readonly status: 'read'; readonly line: DelegateLine }
  | { readonly status: 'refused'; readonly reason: string }

export const DELEGATE_HINT = '[--provider P --model M] [--fork] [--report] <task>'

const FLAGS = "--provider P, --model M, --fork, --report; '--' ends them"

export function readDelegateLine(input: string): ReadLine {
  const values = new Map<string, string>()
  let rest = input.trim()
  while (rest.startsWith('--')) {
    const [word, after] = firstWord(rest)
    if (word === '--') return withPrompt(values, after)
    const [flag, inline] = splitOnce(word, '=')
    if (values.has(flag)) return refused(`${flag} is there twice`)
    if (flag === '--provider' || flag === '--model') {
      const [value, next] = inline === undefined ? firstWord(after) : [inline, after]
      if (value === '' || value.startsWith('--')) return refused(`${flag} needs a value`)
      values.set(flag, value)
      rest = next
    } else if ((flag === '--fork' || flag === '--report') && inline === undefined) {
      values.set(flag, '')
      rest = after
    } else {
      return refused(`unknown flag '${word.slice(0, 64)}' (flags: ${FLAGS})`)
    }
  }
  return withPrompt(values, rest)
}

function withPrompt(values: ReadonlyMap<string, string>, prompt: string): ReadLine {
  if (prompt === '') return refused(`nothing to do: /delegate ${DELEGATE_HINT}`)
  const provider = values.get('--provider')
  const model = values.get('--model')
  if (provider !== undefined && model === undefined) return refused('--provider needs --model too')
  const line = {
    prompt,
    fork: values.has('--fork'),
    report: values.has('--report'),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  }
  return { status: 'read', line }
}

function refused(reason: string): ReadLine {
  return { status: 'refused', reason }
}

function firstWord(text: string): readonly [string, string] {
  const end = text.search(/\s/)
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}

function splitOnce(text: string, mark: string): readonly [string, string | undefined] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
