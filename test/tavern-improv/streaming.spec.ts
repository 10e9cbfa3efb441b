import { describe, expect, it } from 'vitest'
import { BlockAssembler, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { ImprovAdapter } from 'dsh-tavern-improv'
import { liu, mara } from './cards.ts'
import { briefingText, cue, own, ownCall, request, result } from './requests.ts'
import { characterTools } from './tools.ts'

const adapter = new ImprovAdapter({ contextWindow: 4096, chunkDelayMs: 0, toolUse: 1 })
const spoken = request(mara, [
  cue(briefingText({ card: mara, happened: ['Ivo: Where is the ferry?'] }), 's'),
])

async function chunksOf(options: GenerateOptions, from = adapter): Promise<readonly StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of from.stream(options)) chunks.push(chunk)
  return chunks
}

function deltas(chunks: readonly StreamChunk[]): readonly string[] {
  return chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.text] : []))
}

const asked = (seed: string) =>
  request(
    mara,
    [
      cue(
        briefingText({
          card: mara,
          happened: ['Ivo: Bar the gate!'],
          world: { gate_barred: false },
        }),
        seed,
      ),
    ],
    characterTools,
  )

const usageOf = async (options: GenerateOptions) =>
  (await chunksOf(options)).flatMap((chunk) =>
    chunk.type === 'usage' ? [chunk.usage] : [],
  )[0] ?? { inputTokens: 0, outputTokens: 0 }

const countOf = async (text: string) =>
  (await usageOf({ provider: 'improv', model: 'improv-1', messages: [own(text)] })).inputTokens

const idsOf = async (seed: string) =>
  (await chunksOf(asked(seed))).flatMap((chunk) =>
    chunk.type === 'tool-call-delta' ? [chunk.id] : [],
  )

describe('a streamed text', () => {
  it('comes word by word, is closed, priced and finished, in that order', async () => {
    const chunks = await chunksOf(spoken)
    const kinds = chunks.map(({ type }) => type).filter((type) => type !== 'text-delta')
    expect(kinds).toEqual(['block-start', 'block-end', 'usage', 'finish'])
    expect(deltas(chunks).length).toBeGreaterThan(3)
    const assembler = new BlockAssembler()
    for (const chunk of chunks) assembler.push(chunk)
    expect(assembler.blocks()).toEqual([{ type: 'text', text: deltas(chunks).join('') }])
    expect(assembler.finish).toEqual({ kind: 'stop' })
  })

  it('comes segment by segment in Chinese', async () => {
    const told = briefingText({ card: liu, happened: ['阿福：掌柜的，还有酒吗？'] })
    const parts = deltas(await chunksOf(request(liu, [cue(told, 's')])))
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(9)
  })

  it('ends where it may not go on: at its token limit, at a stop sequence', async () => {
    const cut = await chunksOf({ ...spoken, maxTokens: 2 })
    expect(cut.at(-1)).toEqual({ type: 'finish', reason: { kind: 'max-tokens' } })
    const whole = deltas(await chunksOf(spoken)).join('')
    const stop = whole.slice(6, 9)
    expect(deltas(await chunksOf({ ...spoken, stop: [stop] })).join('')).toBe(
      whole.slice(0, whole.indexOf(stop)),
    )
  })
})

describe('a streamed call', () => {
  it('has an id that is the same in every repetition and differs from the next turn’s', async () => {
    const seeds = Array.from({ length: 20 }, (_, index) => `s${index}`)
    const found = (await Promise.all(seeds.map(idsOf))).flat()
    expect(found.length).toBeGreaterThan(5)
    expect(new Set(found).size).toBe(found.length)
    expect((await Promise.all(seeds.map(idsOf))).flat()).toEqual(found)
  })

  it('finishes as tool calls, its arguments whole in the block', async () => {
    const told = briefingText({
      card: mara,
      happened: ['Ivo: Bar the gate!'],
      world: { gate_barred: false },
    })
    const chunks = await chunksOf(request(mara, [cue(told, 's1')], characterTools))
    const [block] = chunks.flatMap((chunk) => (chunk.type === 'block-end' ? [chunk.block] : []))
    expect(block).toMatchObject({ type: 'tool-call', name: expect.any(String) })
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: { kind: 'tool-calls' } })
  })
})

describe('an abort', () => {
  it('before the first piece throws what the host takes for one', async () => {
    const aborted = { ...spoken, signal: AbortSignal.abort() }
    await expect(chunksOf(aborted)).rejects.toMatchObject({ name: 'LlmError', code: 'ABORTED' })
  })

  it('between two pieces is honoured at once', async () => {
    const controller = new AbortController()
    const seen: StreamChunk[] = []
    const run = (async () => {
      for await (const chunk of adapter.stream({ ...spoken, signal: controller.signal })) {
        seen.push(chunk)
        if (seen.length === 3) controller.abort()
      }
    })()
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
    expect(seen).toHaveLength(3)
  })

  it('ends the pause between pieces', async () => {
    const slow = new ImprovAdapter({ contextWindow: 4096, chunkDelayMs: 10_000_000, toolUse: 0 })
    const controller = new AbortController()
    const iterator = slow.stream({ ...spoken, signal: controller.signal })[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.next()
    const waiting = iterator.next()
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('usage', () => {
  it('counts messages, prompt and tools, and the answer', async () => {
    const bare = await usageOf(spoken)
    const length =
      JSON.stringify(spoken.system).length + JSON.stringify(spoken.messages[0]?.content).length
    expect(bare.inputTokens).toBeGreaterThan(length / 5)
    expect(bare.inputTokens).toBeLessThan(length / 3)
    expect(bare.outputTokens).toBeGreaterThan(1)
    const withTools = await usageOf({ ...spoken, tools: characterTools })
    expect(withTools.inputTokens - bare.inputTokens).toBeGreaterThan(100)
    const longer = {
      ...spoken,
      messages: [
        ownCall('leave', { why: 'x'.repeat(400) }),
        result('y'.repeat(400)),
        own('z'.repeat(400)),
        ...spoken.messages,
      ],
    }
    expect((await usageOf(longer)).inputTokens - bare.inputTokens).toBeGreaterThan(290)
  })

  it('prices a Chinese character at one and a half tokens', async () => {
    expect((await countOf('酒'.repeat(200))) - (await countOf(''))).toBe(300)
  })
})
