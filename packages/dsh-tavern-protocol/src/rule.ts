/** A rule: a small program that a scene ships as `rules/<name>.ts`, and when it runs. */
import { z } from 'zod'
import { worldKey } from './ids.ts'

export const ruleName = z
  .string()
  .max(32)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes')
export type RuleName = z.infer<typeof ruleName>

/** Kinds of beats that a rule may answer. */
export const ruleCause = z.enum(['line', 'whisper', 'narration', 'entrance', 'exit', 'world'])
export type RuleCause = z.infer<typeof ruleCause>

/** What must become true of one key of the world, or of one variable; exactly one comparison. */
export const ruleCondition = z
  .strictObject({
    key: worldKey,
    is: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
    atMost: z.number().optional(),
    atLeast: z.number().optional(),
  })
  .readonly()
  .refine(
    ({ is, atMost, atLeast }) =>
      [is, atMost, atLeast].filter((bound) => bound !== undefined).length === 1,
    'must have one of is, atMost, atLeast',
  )
export type RuleCondition = z.infer<typeof ruleCondition>

export const sceneRule = z
  .strictObject({
    /** What it does, for whoever may run it by name. */
    about: z.string().trim().min(1).max(200).optional(),
    /** Runs after each beat of these kinds. */
    on: z.array(ruleCause).min(1).readonly().optional(),
    /** Runs after every so many of them; without `on`, of all beats. */
    every: z.int().min(1).max(10_000).optional(),
    /** Runs when this becomes true. */
    when: ruleCondition.optional(),
  })
  .readonly()
  .refine(
    ({ on, every, when }) => when === undefined || (on ?? every) === undefined,
    'has when, so neither on nor every',
  )
export type SceneRule = z.infer<typeof sceneRule>

/** Rules of one scene. */
export const RULES = 16
