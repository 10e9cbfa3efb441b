import { describe, expect, it } from 'vitest'
import type { Message, ToolSchema } from '@deepseek-ai/dsh-llm'
import { answerTo } from '../../packages/dsh-tavern-improv/src/answer.ts'
import type { Call } from '../../packages/dsh-tavern-improv/src/acting.ts'
import { fits } from '../../packages/dsh-tavern-improv/src/json-schema.ts'
import { liu, mara } from './cards.ts'
import { briefingText, cue, ownCall, request, result, type Telling } from './requests.ts'
import { characterTools, leave, listing, whisper, worldGet, worldSet } from './tools.ts'

const SEEDS = 150
const world = { gate_barred: false, logs: 3, fire: 'low', mood: 'calm' }

interface Play extends Partial<Telling> {
  readonly tools?: readonly ToolSchema[]
  readonly toolUse?: number
  readonly after?: readonly Message[]
}

function callsFor(
  seed: number,
  { tools = characterTools, toolUse = 0.9, after = [], ...told }: Play,
): readonly Call[] {
  const text = briefingText({ card: mara, happened: ['Ivo: Well?'], world, ...told })
  return answerTo(request(told.card ?? mara, [cue(text, `s${seed}`), ...after], tools), toolUse)
    .calls
}

function allCalls(play: Play): readonly Call[] {
  return Array.from({ length: SEEDS }, (_, seed) => callsFor(seed, play)).flat()
}

const changesIn = (play: Play) => allCalls(play).filter(({ name }) => name === 'world_set')

const whispersIn = (play: Play) =>
  allCalls({ tools: [whisper], ...play }).filter(({ name }) => name === 'whisper')

const timesLeft = (cueText: string) =>
  allCalls({ cue: cueText }).filter(({ name }) => name === 'leave').length

const speechAfter = (after: readonly Message[]) =>
  Array.from({ length: 40 }, (_, seed) => {
    const text = briefingText({ card: mara, happened: ['Ivo: Bar the gate!'], world })
    return answerTo(request(mara, [cue(text, `s${seed}`), ...after], characterTools), 0.9)
  })

const valuesFor = (order: string, told: Telling['world']) =>
  new Set(
    changesIn({ happened: [`Ivo: ${order}`], ...(told ? { world: told } : {}) }).map(
      ({ args }) => args['value'],
    ),
  )

describe('tool calls', () => {
  it('fit the schemas of the tools that are offered', () => {
    const calls = allCalls({})
    expect(new Set(calls.map(({ name }) => name)).size).toBeGreaterThanOrEqual(3)
    for (const { name, args } of calls) {
      const schema = characterTools.find((tool) => tool.name === name)?.parameters
      expect(schema && fits(schema, args), `${name} ${JSON.stringify(args)}`).toBe(true)
    }
  })

  it.each([[[]], [[worldGet]], [[whisper]], [[leave]]])(
    'are only of tools that are offered',
    (tools) => {
      const offered = new Set(tools.map(({ name }) => name))
      for (const { name } of allCalls({ tools })) expect(offered.has(name)).toBe(true)
    },
  )

  it('are not made of foreign tools', () => {
    const foreign = {
      name: 'bash',
      description: 'Run a command.',
      parameters: { type: 'object', properties: {} },
    }
    expect(allCalls({ tools: [foreign] })).toEqual([])
  })

  it('come as often as `toolUse` says', () => {
    const said = 'Ivo: Bar the gate!'
    const count = (toolUse: number) => allCalls({ toolUse, happened: [said] }).length
    expect(count(0)).toBe(0)
    expect(count(0.1)).toBeLessThan(count(0.5))
  })
})

describe('world_set', () => {
  it('changes only what the world has, with the version that was told', () => {
    for (const { args } of changesIn({})) {
      expect(Object.keys(world)).toContain(args['key'])
      expect(args['expected_version']).toBe(3)
    }
  })

  it('flips flags, steps numbers, and takes another word for a word, when it is told to', () => {
    expect(valuesFor('Open the gate!', { gate_open: false })).toEqual(new Set([true]))
    expect(valuesFor('Do not open the gate!', { gate_open: true })).toEqual(new Set([false]))
    expect(valuesFor('Give me the logs!', { logs: 3 })).toEqual(new Set([2]))
    expect(valuesFor('Bring more logs!', { logs: 3 })).toEqual(new Set([4]))
    expect(valuesFor('See the fire is fed, keep it!', { fire: 'low' })).toEqual(new Set(['high']))
  })

  it('unasked, touches only what is at hand, and never puts a fire out', () => {
    const told = {
      hearth_lit: true,
      tide: 4,
      passengers_missing: 1,
      storm: 'calm',
      window_shut: true,
      candles: 5,
    }
    const touched = changesIn({
      world: told,
      happened: ['Ivo: The hearth, the tide, the passengers, the storm.'],
    })
    expect(
      new Set(touched.map(({ args }) => `${String(args['key'])} ${String(args['value'])}`)),
    ).toEqual(new Set(['window_shut false', 'candles 4']))
  })

  it('does what an order asks and leaves alone what is so already', () => {
    const asked = { happened: ['Ivo: Bar the gate!'], tools: [worldSet] }
    expect(changesIn({ ...asked, world: { gate_barred: false } }).length).toBeGreaterThan(50)
    expect(changesIn({ ...asked, world: { gate_barred: true } })).toEqual([])
  })

  it('takes a value that a list in the text offers', () => {
    const told = {
      lore: ['The weather here is calm, rain or snow.'],
      world: { weather: 'rain' },
      happened: ['Ivo: Change the weather!'],
    }
    expect(new Set(changesIn(told).map(({ args }) => args['value']))).toEqual(
      new Set(['calm', 'snow']),
    )
  })

  it('takes a value that the schema lists', () => {
    const tools = [listing(worldSet, 'value', ['open', 'shut'])]
    const values = changesIn({ tools, world: { gate: 'open' }, happened: ['Ivo: The gate!'] }).map(
      ({ args }) => args['value'],
    )
    expect(new Set(values)).toEqual(new Set(['shut']))
  })

  it('looks first, sometimes, and then uses the version it was shown', () => {
    const looked = ownCall('world_get', { key: 'gate_barred' })
    const seen = result({ key: 'gate_barred', value: true, version: 8 })
    const after = changesIn({ after: [looked, seen], happened: ['Ivo: Somebody is at the gate.'] })
    expect(after.length).toBeGreaterThan(25)
    for (const { args } of after)
      expect(args).toEqual({ key: 'gate_barred', value: false, expected_version: 8 })
  })
})

describe('whisper', () => {
  it('goes to somebody who is here, by the id the briefing gives', () => {
    const to = whispersIn({}).map(({ args }) => args['to'])
    expect(to.length).toBeGreaterThan(20)
    for (const ids of to) expect([['character:ivo'], ['character:tess']]).toContainEqual(ids)
  })

  it('goes only to whom the schema lists', () => {
    const to = whispersIn({ tools: [listing(whisper, 'to', ['tess'])] }).flatMap(
      ({ args }) => args['to'],
    )
    expect(new Set(to)).toEqual(new Set(['tess']))
  })

  it('answers the one who whispered', () => {
    const happened = ['Tess (whispers to you): Meet me outside.']
    for (const { args } of whispersIn({ happened })) expect(args['to']).toEqual(['character:tess'])
  })

  it('speaks Chinese in a Chinese scene', () => {
    const said = whispersIn({ card: liu, happened: ['阿福：掌柜的！'] }).map(({ args }) =>
      String(args['text']),
    )
    expect(said.join('')).toMatch(/^[\p{Script=Han}，。！？…]+$/u)
  })
})

describe('leave', () => {
  it('is rare, unless the cue asks for it', () => {
    expect(timesLeft('It is your turn.')).toBeLessThan(6)
    expect(timesLeft('The moment is yours.\nAsked of you: leave the room now')).toBeGreaterThan(100)
  })
})

describe('after its calls', () => {
  it('speaks of what it changed', () => {
    const args = { key: 'gate_barred', value: true, expected_version: 3 }
    const said = speechAfter([ownCall('world_set', args), result({ status: 'staged', version: 4 })])
    expect(
      said.every(({ calls, text }) => calls.length > 0 || /the gate is barred/i.test(text)),
    ).toBe(true)
    expect(said.some(({ text }) => text !== '')).toBe(true)
  })

  it('does not claim a change that failed or met a newer one', () => {
    const args = { key: 'gate_barred', value: true, expected_version: 3 }
    const failed = speechAfter([ownCall('world_set', args), result('refused', true)])
    const met = speechAfter([
      ownCall('world_set', args),
      result({ status: 'conflict', current: null }),
    ])
    for (const { text, calls } of failed)
      expect([calls, text]).toEqual([[], expect.not.stringMatching(/^\W*(?:Done|There)/)])
    expect(met.map(({ text }) => text).join(' ')).toMatch(
      /Somebody got there|meddling|had that sorted/,
    )
  })

  it('makes at most two calls in a turn', () => {
    const steps = [
      ownCall('world_get', { key: 'fire' }, 'a'),
      result({ value: 'low', version: 3 }, false, 'a'),
      ownCall('world_set', { key: 'fire', value: 'high', expected_version: 3 }, 'b'),
      result({ status: 'staged' }, false, 'b'),
    ]
    for (const { calls, text } of speechAfter(steps)) {
      expect(calls).toEqual([])
      expect(text).not.toBe('')
    }
  })

  it('calls of an older turn do not count', () => {
    const text = briefingText({ card: mara, happened: ['Ivo: Bar the gate!'], world })
    const messages = [
      cue(text, 'old'),
      ownCall('leave', {}),
      result('unknown', true),
      cue(text, 's1'),
    ]
    expect(answerTo(request(mara, messages, characterTools), 0.9)).toEqual(
      answerTo(request(mara, [cue(text, 's1')], characterTools), 0.9),
    )
  })
})
