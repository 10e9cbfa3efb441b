/** What a provider streams, and what the host sees of it. */
import { BlockAssembler, CallId, type StreamChunk } from '@deepseek-ai/dsh-llm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { titledCalls } from '../../packages/dsh-fabric-host/src/titled-calls.ts'

const id = CallId('call-1')

/** A call whose arguments come in pieces; with no end of its block where a protocol has none. */
function streamed(text: string, { name = 'run_code', size = 7, ends = true } = {}): StreamChunk[] {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  return [
    { type: 'block-start', index: 0, blockType: 'tool-call' },
    { type: 'tool-call-delta', index: 0, id, name, argumentsDelta: '' },
    ...pieces.map((argumentsDelta): StreamChunk => {
      return { type: 'tool-call-delta', index: 0, id, argumentsDelta }
    }),
    ...(ends ? [endOf(text, name)] : []),
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ]
}

function endOf(text: string, name: string): StreamChunk {
  return { type: 'block-end', index: 0, block: { type: 'tool-call', id, name, arguments: text } }
}

async function titled(chunks: readonly StreamChunk[]) {
  const seen: StreamChunk[] = []
  const assembler = new BlockAssembler()
  for await (const chunk of titledCalls(given(chunks))) {
    seen.push(chunk)
    assembler.push(chunk)
  }
  const [block] = assembler.blocks()
  const deltas = seen.map((c) => (c.type === 'tool-call-delta' ? c.argumentsDelta : '')).join('')
  return { seen, deltas, arguments: block?.type === 'tool-call' ? block.arguments : undefined }
}

async function* given(chunks: readonly StreamChunk[]): AsyncGenerator<StreamChunk> {
  yield* chunks
}

describe('a call of run_code', () => {
  it.each([
    ['{"code":"return 1"}', '{"code":"return 1","description":"Run a program"}'],
    ['{"code":"// Sum it\\n"}\n ', '{"code":"// Sum it\\n","description":"Sum it"}'],
    [
      '{"code":"x","description":" "}',
      '{"code":"x","description":" ","description":"Run a program"}',
    ],
    [
      '{"code":"x","description":null}',
      '{"code":"x","description":null,"description":"Run a program"}',
    ],
  ])('%j gets a title, in its deltas and in its block', async (text, complete) => {
    for (const size of [1, 7, 1000]) {
      const { deltas, arguments: read } = await titled(streamed(text, { size }))

      expect(read).toBe(complete)
      expect(deltas).toBe(complete)
    }
  })

  it('gets one where a protocol never ends the block', async () => {
    const { deltas, arguments: read } = await titled(streamed('{"code":"x"}', { ends: false }))

    expect(JSON.parse(read ?? '')).toEqual({ code: 'x', description: 'Run a program' })
    expect(deltas).toBe(read)
  })

  it('gets one when it comes whole', async () => {
    const { arguments: read } = await titled([endOf('{"code":"x"}', 'run_code')])

    expect(JSON.parse(read ?? '')).toEqual({ code: 'x', description: 'Run a program' })
  })

  it.each([
    '{"code":"x","description":"As its author says"}',
    '{"description":"First","code":"x"}',
    '{"code":7}',
    '{"code":"x","description":7}',
    '{}',
    '[{"code":"x"}]',
    '"{}"',
    '{"code":"cut off',
    '}}}',
    '',
  ])('%j stays as it is', async (text) => {
    const { deltas, arguments: read } = await titled(streamed(text))

    expect(read).toBe(text)
    expect(deltas).toBe(text)
  })
})

it('any other tool, text and usage pass untouched and undelayed', async () => {
  const chunks: StreamChunk[] = [
    { type: 'block-start', index: 1, blockType: 'text' },
    { type: 'text-delta', index: 1, text: 'Well}' },
    ...streamed('{"code":"x"}', { name: 'bash' }),
  ]

  const { seen } = await titled(chunks)

  expect(seen).toEqual(chunks)
})

it('two calls in one answer are titled each by its own program', async () => {
  const first = streamed('{"code":"// One"}').slice(0, -2)
  const second = streamed('{"code":"// Two"}').map((chunk) =>
    'index' in chunk ? { ...chunk, index: 1 } : chunk,
  )
  const [a, b, ...rest] = second
  const mixed = [...first.slice(0, 2), a, b, ...first.slice(2), ...rest].filter(
    (c) => c !== undefined,
  )

  const { seen } = await titled(mixed)

  const read = seen.flatMap((chunk) =>
    chunk.type === 'block-end' && chunk.block.type === 'tool-call' ? [chunk.block.arguments] : [],
  )
  expect(read.map((text) => JSON.parse(text).description)).toEqual(['One', 'Two'])
})

it('whatever a provider sends, the deltas add up to the block', async () => {
  const text = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({ code: fc.string(), description: fc.option(fc.string()) })
      .map((a) => JSON.stringify(a)),
  )
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, size) => {
      const { deltas, arguments: read } = await titled(streamed(whole, { size }))

      expect(deltas).toBe(read)
    }),
    { numRuns: 300 },
  )
})
