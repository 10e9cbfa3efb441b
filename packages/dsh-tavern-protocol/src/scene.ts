/** A scene as its author writes it: `scenes/<id>/scene.yml`. */
import { jsonValue } from 'dsh-fabric-protocol'
import { z } from 'zod'
import { directionKind } from './direction.ts'
import { characterId, sceneId, worldKey } from './ids.ts'
import { ruleName, RULES, sceneRule } from './rule.ts'

const text = z.string().trim().min(1)

export const castMember = z
  .strictObject({
    character: characterId,
    /** Present when the scene opens. */
    onStage: z.boolean().default(true),
    /** Acts only when delegated to. */
    muted: z.boolean().default(false),
    /** 0 to 1; overrides the card's. */
    talkativeness: z.number().min(0).max(1).optional(),
    provider: z.string().optional(),
    model: z.string().optional(),
    /** Known to this character alone when the scene opens. */
    secrets: z.array(text).readonly().default([]),
    /** Tokens it may cost in all; overrides `caps.characterTokens`. */
    tokens: z.int().positive().optional(),
  })
  .readonly()
export type CastMember = z.infer<typeof castMember>

/** A world variable, and who knows of it. */
export const worldEntry = z
  .strictObject({
    value: jsonValue,
    /** Character ids; absent: everyone on stage. */
    knownTo: z.array(characterId).readonly().optional(),
  })
  .readonly()
export type WorldEntry = z.infer<typeof worldEntry>

export const sceneCaps = z
  .strictObject({
    beatsPerLine: z.int().min(1).max(64).default(6),
    autoBeats: z.int().min(0).max(10_000).default(24),
    characterTokens: z.int().positive().default(400_000),
    sceneTokens: z.int().positive().default(2_000_000),
  })
  .readonly()
export type SceneCaps = z.infer<typeof sceneCaps>

export const sceneDefinition = z
  .strictObject({
    title: text,
    premise: text,
    language: z.enum(['en', 'zh']).default('en'),
    /** Who sits in the seat unless the person says otherwise. */
    persona: z
      .strictObject({ name: text, description: z.string().default('') })
      .readonly()
      .default({ name: 'You', description: '' }),
    direction: directionKind.default('natural'),
    /** May the last speaker be chosen again at once? */
    selfResponses: z.boolean().default(false),
    /** The narrator's own model, used by `direction: directed`. */
    narrator: z
      .strictObject({ provider: z.string().optional(), model: z.string().optional() })
      .readonly()
      .default({}),
    /** The character whose greeting opens the scene. */
    greeting: characterId.optional(),
    cast: z.array(castMember).min(1).readonly(),
    world: z.record(worldKey, worldEntry).readonly().default({}),
    /** Values that no character is told of, for rules and for whoever directs. */
    variables: z.record(worldKey, jsonValue).readonly().default({}),
    /** By name, in the order in which they run. */
    rules: z
      .record(ruleName, sceneRule)
      .readonly()
      .refine((rules) => Object.keys(rules).length <= RULES, `must be at most ${RULES}`)
      .default({}),
    caps: sceneCaps.prefault({}),
    seed: z.int().nonnegative().default(1),
  })
  .readonly()
export type SceneDefinition = z.infer<typeof sceneDefinition>

export interface Scene extends SceneDefinition {
  readonly id: z.infer<typeof sceneId>
}
