/** The same lines, seed and recorded outputs give the same transcript, byte for byte. */
import { createHash } from 'node:crypto'
import {
  type GenerateOptions,
  LlmAdapter,
  type LlmResolvedModelInfo,
  type StreamChunk,
} from '@deepseek-ai/dsh-llm'
import { boot } from 'dsh-tavern-cli'
import type { OpenScene } from 'dsh-tavern-scene'
import { describe, expect, it } from 'vitest'
import { newHome, say } from './stage.ts'

const ROUTE = { provider: 'recorded', model: 'recorded-1' }

/** Outputs by session and count; with a source it records what that says, without one it plays what was recorded. */
class RecordedModel extends LlmAdapter {
  readonly #outputs: Map<string, readonly StreamChunk[]>
  readonly #source: ((options: GenerateOptions) => AsyncIterable<StreamChunk>) | undefined
  readonly #counts = new Map<string, number>()

  constructor(
    outputs: Map<string, readonly StreamChunk[]>,
    source?: (options: GenerateOptions) => AsyncIterable<StreamChunk>,
  ) {
    super()
    this.#outputs = outputs
    this.#source = source
  }

  override async resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return { provider, id: model, name: model, context: { contextWindow: 32_768 } }
  }

  override async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    const session = options.sessionId ?? ''
    const count = (this.#counts.get(session) ?? 0) + 1
    this.#counts.set(session, count)
    const key = `${session}/${count}`
    if (this.#source) {
      const chunks = await Array.fromAsync(this.#source(options))
      this.#outputs.set(key, chunks)
    }
    const recorded = this.#outputs.get(key)
    if (!recorded) throw new Error(`nothing was recorded for ${key}`)
    yield* recorded
  }
}

type Outputs = Map<string, readonly StreamChunk[]>

async function played(scene: string, outputs: Outputs, recording: boolean): Promise<string> {
  const ctx = await boot({ home: newHome(), retry: false })
  const improv = (options: GenerateOptions) =>
    ctx.llm.stream({ ...options, provider: 'improv', model: 'improv-1' })
  ctx.llm.registerAdapter(
    [ROUTE.provider],
    new RecordedModel(outputs, recording ? improv : undefined),
  )
  const open = await ctx.scenes.open(scene, { route: ROUTE, seed: 5 })
  await say(open, 'Good evening. Who are you all?')
  await open.auto(6)
  await say(open, 'Go on.')
  const hash = await transcriptHash(open)
  await ctx.fiber.dispose()
  return hash
}

async function transcriptHash(scene: OpenScene): Promise<string> {
  const beats = await scene.run.read(0, 500)
  const hash = createHash('sha256')
  for (const { sequence, id, beat } of beats) hash.update(JSON.stringify([sequence, id, beat]))
  return hash.digest('hex')
}

describe('replay', () => {
  it.each(['ember-night', 'glass-ledger', 'chenzhong'])(
    'a recorded play of %s is repeated from its outputs alone',
    async (scene) => {
      const outputs: Outputs = new Map()
      const first = await played(scene, outputs, true)

      const second = await played(scene, outputs, false)

      expect(second).toBe(first)
    },
  )
})
