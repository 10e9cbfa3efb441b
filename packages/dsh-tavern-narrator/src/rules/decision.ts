/** What one run of a rule comes to: written down before anything is done, so that a repetition does the same. */
import type { CodeOutcome } from 'dsh-fabric-code-runtime-quickjs'
import { jsonValue } from 'dsh-fabric-protocol'
import { z } from 'zod'
import { limits } from './limits.ts'

const roll = z
  .object({
    dice: z.string().max(40),
    faces: z.array(z.number()).max(limits.dice).readonly(),
    total: z.number(),
    label: z.string().max(limits.label),
    hidden: z.boolean(),
  })
  .readonly()
export type RuleRoll = z.infer<typeof roll>

const change = z
  .object({ key: z.string(), value: jsonValue, expectedVersion: z.int().nonnegative() })
  .readonly()

const made = {
  changes: z.array(change).max(limits.changes).readonly(),
  rolls: z.array(roll).max(limits.rolls).readonly(),
  tells: z
    .array(z.object({ to: z.string(), text: z.string().max(limits.text) }).readonly())
    .max(limits.tells)
    .readonly(),
  narration: z.string().max(limits.passages * (limits.text + 1)),
}

const completion = z.object({ ...made, returned: z.boolean() })

export const decision = z.discriminatedUnion('status', [
  z.object({ status: z.literal('done'), ...made }).readonly(),
  z
    .object({
      status: z.literal('failed'),
      /** The runtime's word for it. */
      code: z.string(),
      message: z.string(),
      at: z.object({ line: z.int(), column: z.int() }).readonly().optional(),
      /** The rule is not run again by itself. */
      rests: z.boolean(),
    })
    .readonly(),
])
export type Decision = z.infer<typeof decision>
export type Failed = Omit<Extract<Decision, { status: 'failed' }>, 'rests'>

export type Ruled = Extract<Decision, { status: 'done' }> | Failed

/** UTF-16 units of an error's own words. */
const MESSAGE = 400

export function ruledBy(outcome: CodeOutcome): Ruled {
  if (outcome.status === 'failed') {
    const { failure } = outcome
    if (failure.kind !== 'check') return failed(failure.kind, failure.message, failure.at)
    const [first] = failure.diagnostics
    return failed('check', first?.message ?? failure.message, first)
  }
  const read = completion.safeParse(outcome.value)
  if (!read.success) return failed('invalid-output', z.prettifyError(read.error))
  const { returned, ...done } = read.data
  if (returned) return failed('invalid-output', 'a rule returns nothing')
  return { status: 'done', ...done }
}

export function failed(
  code: string,
  message: string,
  at?: { readonly line: number; readonly column: number },
): Failed {
  const place = at ? { at: { line: at.line, column: at.column } } : {}
  return { status: 'failed', code, message: message.slice(0, MESSAGE), ...place }
}

/** Nothing of it is for anybody. */
export function isIdle(ruled: Ruled): boolean {
  if (ruled.status === 'failed') return false
  const { changes, rolls, tells, narration } = ruled
  return changes.length + rolls.length + tells.length === 0 && narration === ''
}

/** Beats that it becomes. */
export function beatCount(ruled: Ruled): number {
  if (ruled.status === 'failed') return 1
  const { changes, rolls, tells, narration } = ruled
  return rolls.length + tells.length + (changes.length > 0 || narration !== '' ? 1 : 0)
}
