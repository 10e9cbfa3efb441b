import { describe, expect, it } from 'vitest'
import type { Message, ToolSchema } from '@deepseek-ai/dsh-llm'
import { answerTo } from '../../packages/dsh-tavern-improv/src/answer.ts'
import { fits } from '../../packages/dsh-tavern-improv/src/json-schema.ts'
import { briefingText, cue, ownCall, result } from './requests.ts'
import { mara } from './cards.ts'
import { cueTool, end, listing, narrate, narratorTools } from './tools.ts'

const SEEDS = 200
const system = `You are the narrator of a scene that several people play.

The scene: The Long Night

[Premise]
A storm has closed the pass. The last lamp in the hall is running out of oil.

[Cast]
- Ivo <character:ivo>: a ferryman
  (only Ivo knows: he drowned the miller's apprentice)
- Tess <character:tess>: a courier`

interface Play {
  readonly happened?: readonly string[]
  readonly tools?: readonly ToolSchema[]
  readonly after?: readonly Message[]
  readonly cue?: string
}

function answer(
  seed: number,
  {
    happened = ['Tess: I am cold.'],
    tools = narratorTools,
    after = [],
    cue: asked = 'Decide now. At most 6 more moments.',
  }: Play = {},
) {
  const messages = [cue(briefingText({ card: mara, happened, cue: asked }), `s${seed}`), ...after]
  return answerTo(
    { provider: 'improv', model: 'improv-1', system, messages, tools: [...tools] },
    0.35,
  )
}

const answers = (play?: Play) => Array.from({ length: SEEDS }, (_, seed) => answer(seed, play))

const firstCued = (happened: readonly string[]) =>
  answers({ happened }).map(
    ({ calls }) => calls.find(({ name }) => name === 'cue')?.args['character'],
  )

describe('a narrator', () => {
  it('calls its tools as their schemas ask and says nothing beside them', () => {
    for (const { calls, text } of answers()) {
      expect(text).toBe('')
      for (const { name, args } of calls) {
        expect(fits(narratorTools.find((tool) => tool.name === name)?.parameters, args)).toBe(true)
      }
    }
  })

  it('cues one to three of those here, nobody twice, and then ends', () => {
    for (const { calls } of answers()) {
      const cued = calls.filter(({ name }) => name === 'cue').map(({ args }) => args['character'])
      expect(cued.length).toBeGreaterThanOrEqual(1)
      expect(cued.length).toBeLessThanOrEqual(3)
      expect(new Set(cued).size).toBe(cued.length)
      for (const id of cued) expect(['ivo', 'tess']).toContain(id)
      expect(calls.at(-1)).toEqual({ name: 'end', args: {} })
    }
  })

  it('cues who was named first, and sooner another than the last speaker', () => {
    expect(new Set(firstCued(['You: Ivo, is that your boat?']))).toEqual(new Set(['ivo']))
    expect(new Set(firstCued(['Tess: I am cold.']))).toEqual(new Set(['ivo']))
  })

  it('cues no more than the moments that are left', () => {
    for (const { calls } of answers({
      happened: ['You: Ivo, Tess, listen.'],
      cue: 'Decide now. At most 1 more moments.',
    })) {
      expect(calls.filter(({ name }) => name === 'cue')).toHaveLength(1)
    }
  })

  it('takes ids from the tool’s own list', () => {
    const cued = answers({ tools: [listing(cueTool, 'character', ['tess']), end] }).flatMap(
      ({ calls }) => calls,
    )
    expect(
      new Set(cued.filter(({ name }) => name === 'cue').map(({ args }) => args['character'])),
    ).toEqual(new Set(['tess']))
  })

  it('narrates sometimes, in one or two sentences, and gives nobody’s secret away', () => {
    const passages = answers()
      .flatMap(({ calls }) => calls.filter(({ name }) => name === 'narrate'))
      .map(({ args }) => String(args['text']))
    expect(passages.length).toBeGreaterThan(SEEDS / 5)
    expect(passages.length).toBeLessThan(SEEDS * 0.7)
    expect(new Set(passages).size).toBeGreaterThan(20)
    const everything = JSON.stringify(answers())
    expect(everything).not.toMatch(/drown|miller|apprentice/)
    expect(everything).not.toMatch(/moments|decide/i)
  })

  it('says nothing more once its calls were taken', () => {
    const after = [ownCall('cue', { character: 'ivo' }), result('ok')]
    expect(answer(1, { after })).toMatchObject({ calls: [], text: '' })
  })

  it('tries another when everything it called was refused', () => {
    const after = [ownCall('cue', { character: 'ivo' }), result('refused', true)]
    const cued = answers({ after }).flatMap(({ calls }) =>
      calls.filter(({ name }) => name === 'cue'),
    )
    expect(new Set(cued.map(({ args }) => args['character']))).toEqual(new Set(['tess']))
  })

  it('with nobody to cue it narrates, and in words where it cannot call', () => {
    const scene = { happened: ['* The lamp flickers. *'], tools: [cueTool, end, narrate] }
    const messages = [
      cue('[Since you last spoke]\n* The lamp flickers. *\n\n[Your cue]\nDecide now.', 's'),
    ]
    const alone = answerTo(
      { provider: 'improv', model: 'improv-1', system, messages, tools: scene.tools },
      0,
    )
    expect(alone.calls.map(({ name }) => name)).toEqual(['narrate', 'end'])
  })
})
