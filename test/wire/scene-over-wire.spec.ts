/** A whole scene played by models behind the real wire protocols, judged by what the server received for each character. */
import {
  type CharacterId,
  characterParticipant,
  narratorId,
  type PlacedBeat,
} from 'dsh-tavern-protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireRequest } from './chat.ts'
import { type Evening, otherRoute, playEvening, type Routes } from './evening.ts'
import { playedBy } from './players.ts'
import { needlesOf, privateTexts, whisperedTexts, wordsOf } from './privacy.ts'
import type { Exchange } from './provider-server.ts'
import { flash, keys, large, pro, small } from './table.ts'

const castings: Readonly<Record<string, Routes>> = {
  DeepSeek: { roe: flash, lucan: flash, bettany: pro, crane: pro },
  'an OpenAI-compatible server': { roe: small, lucan: small, bettany: large, crane: large },
  'both, two characters each': { roe: flash, lucan: small, bettany: pro, crane: large },
}

describe.each(Object.entries(castings))('a scene played by %s', (_title, routes) => {
  const characters = Object.keys(routes)
  let evening: Evening

  beforeAll(async () => {
    evening = await playEvening(routes)
  })
  afterAll(async () => {
    await evening.end()
  })

  it('every character was asked, and every request is one that a provider takes', () => {
    const asked = characters.map((character) => evening.of(character).length)

    expect(Math.min(...asked)).toBeGreaterThan(1)
    expect(evening.server.complaints).toEqual([])
    expect(evening.players.unplayed).toBe(0)
    expect(evening.beats.filter(({ beat }) => beat.text.includes('⟨spoken'))).toHaveLength(
      evening.server.exchanges.filter(({ answer }) => saidIn(answer).includes('⟨spoken')).length,
    )
  })

  it.each(characters)('%s is asked under its own persona, secrets, model and key', (character) => {
    const { scene } = evening.table
    const card = scene.cast.cardOf(character)
    const secrets = scene.cast.member(character)?.secrets ?? []
    const requests = evening.of(character).map(({ request }) => request)
    const handed = evening.during[`hand ${character}`]?.map(({ request }) => request) ?? []

    const systems = new Set(requests.map(({ system }) => system))
    const own = requests.filter((request) => !handed.includes(request))

    expect(systems.size).toBe(1)
    const [system = ''] = systems
    expect(secrets.length).toBeGreaterThan(0)
    for (const text of [card.description.split('\n').at(-1) ?? card.name, ...secrets]) {
      expect(system).toContain(text.replaceAll('{{char}}', card.name))
    }
    const route = routes[character]
    expect(new Set(own.map(({ chat }) => chat.model))).toEqual(new Set([route?.model]))
    for (const { protocol, authorization, raw } of requests) {
      expect(authorization).toBe(`Bearer ${keys[protocol]}`)
      expect(raw).not.toContain(keys[protocol])
    }
    const protocol = route?.provider === small.provider ? 'openai' : 'deepseek'
    expect(new Set(own.map((request) => request.protocol))).toEqual(new Set([protocol]))
  })

  it('nobody is sent a word that only others may know', () => {
    const { scene } = evening.table
    const { premise, persona } = scene.run.scene
    const needles = needlesOf(
      [...privateTexts(scene), ...whisperedTexts(evening.beats)],
      [premise, persona.description, scene.cast.greeting()],
    )
    const found = characters.flatMap((character) =>
      evening.of(character).map(({ request }) => {
        const words = wordsOf(request)
        return { character, hits: needles.filter((needle) => words.includes(needle.words)) }
      }),
    )

    const leaks = found.flatMap(({ character, hits }) =>
      hits.filter(({ owners }) => !owners.has(character)).map((hit) => ({ character, ...hit })),
    )
    const told = new Set(found.flatMap(({ hits }) => hits))
    const untold = needles.filter((needle) => !needle.from.startsWith('card') && !told.has(needle))

    expect(leaks).toEqual([])
    expect(untold).toEqual([])
  })

  it('the tools are the four of the tavern, the same in every request', () => {
    const offered = evening.server.exchanges.map(({ request }) =>
      (request.chat.tools ?? []).map((tool) => tool.function),
    )

    expect(offered[0]?.map(({ name, parameters }) => [name, parameters])).toEqual(tavernTools)
    for (const tools of offered) expect(tools).toEqual(offered[0])
  })

  it.each(characters)(
    '%s reads every line it perceived once, in the order it was said',
    (character) => {
      const { beats } = evening
      const requests = evening.of(character).map(({ request }) => request)
      const self = characterParticipant(character)
      const lastOwn = beats.findLast(({ beat }) => beat.author.id === self && 'usage' in beat)
      const until = lastOwn?.sequence ?? 0
      const others = beats.filter(
        ({ beat, sequence }) => beat.author.id !== self && sequence < until,
      )
      const heard = others.filter(({ beat }) => beat.heardBy.includes(self))
      const unheard = others.filter(({ beat }) => !beat.heardBy.includes(self))

      const read = told(requests.at(-1))

      expect(heard.length).toBeGreaterThan(8)
      expect(heard.map((placed) => timesIn(read, placed))).toEqual(heard.map(() => 1))
      expect(unheard.map((placed) => timesIn(read, placed))).toEqual(unheard.map(() => 0))
      const places = heard.map(({ beat }) => read.indexOf(oneLine(beat.text)))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      for (const [index, request] of requests.entries()) {
        const before = requests[index - 1]
        if (before) expect(told(request).startsWith(told(before))).toBe(true)
      }
    },
  )

  it.each(characters)(
    '%s finds its own earlier answers as its own, and only there',
    (character) => {
      const exchanges = evening.of(character)
      const { greeting } = evening.table.scene.run.scene
      const opening = greeting === character ? [evening.table.scene.cast.greeting()] : []

      for (const [index, { request }] of exchanges.entries()) {
        const earlier = exchanges.slice(0, index)
        const own = request.messages.filter(({ role }) => role === 'assistant')

        expect(own.map(({ content }) => content)).toEqual([
          ...opening,
          ...earlier.map((exchange) => rememberedBy(request, exchange)),
        ])
        const read = told(request)
        for (const { answer } of earlier) {
          if (saidIn(answer) !== '') expect(read).not.toContain(oneLine(saidIn(answer)))
        }
      }
    },
  )

  it('a beat costs what the server reported for its cue, all its requests together', () => {
    for (const character of characters) {
      const self = characterParticipant(character)
      const costs = evening.beats
        .filter(({ beat }) => beat.author.id === self)
        .flatMap(({ beat }) => ('usage' in beat && beat.usage ? [beat.usage] : []))

      expect(costs).toEqual(reportedPerCue(evening.of(character)))
    }
  })

  it('a thought reaches nobody: no beat, and no request of anyone else', () => {
    const thoughts = evening.server.exchanges.flatMap(({ request, answer }) =>
      answer.kind === 'say' && answer.reasoning
        ? [{ by: playedBy(request), text: answer.reasoning }]
        : [],
    )

    expect(thoughts.length).toBeGreaterThan(8)
    for (const { by, text } of thoughts) {
      const word = text.split(' ')[0] ?? text
      expect(evening.beats.filter(({ beat }) => beat.text.includes(word))).toEqual([])
      const readers = evening.server.exchanges.filter(({ request }) => request.raw.includes(word))
      for (const { request } of readers) expect(playedBy(request)).toBe(by)
    }
  })

  it('a change of the world by a tool call happens once, and everyone reads it after', async () => {
    const changes = evening.beats.flatMap(({ beat }) =>
      'changes' in beat ? (beat.changes ?? []) : [],
    )
    const blame = (await evening.table.scene.world()).find(({ key }) => key === 'blame')
    const before = evening.during['blame']?.[0]
    const later = evening.during['after'] ?? []

    expect(changes).toEqual([{ status: 'applied', key: 'blame', value: 'the sea', version: 2 }])
    expect(blame).toMatchObject({ value: 'the sea', version: 2 })
    expect(newest(before?.request)).toContain('- blame (version 1): "nobody"')
    expect(later.length).toBeGreaterThan(1)
    for (const { request } of later) {
      expect(newest(request)).toContain('- blame (version 2): "the sea"')
    }
  })

  it('a tool call and its result stand as a pair in the next request', () => {
    const [asked, answered] = (evening.during['blame'] ?? []).filter(
      ({ request }) => playedBy(request) === 'Aurelio Crane',
    )
    const added = answered?.request.messages.slice(asked?.request.messages.length)

    expect(added?.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool'])
    const calls = added?.flatMap((message) =>
      message.role === 'assistant' ? (message.tool_calls ?? []) : [],
    )
    const results = added?.flatMap((message) => (message.role === 'tool' ? [message] : []))
    expect(calls?.map((call) => call.function.name)).toEqual(['world_set', 'whisper'])
    expect(results?.map(({ tool_call_id }) => tool_call_id)).toEqual(calls?.map(({ id }) => id))
    expect(results?.map(({ content }) => content)).toEqual([
      '{"status":"staged","version":2}',
      '{"status":"staged"}',
    ])
  })

  it.each([
    ['of the seat', 'bySeat', ['bettany']],
    ['of a character', 'byCrane', ['crane', 'lucan']],
  ] as const)('a whisper %s reaches its audience and nobody else', (_who, which, audience) => {
    const text = evening.whispers[which]
    const told = characters.filter((character) =>
      evening.of(character).some(({ request }) => request.raw.includes(text)),
    )
    const heardBy = evening.beats.find(({ beat }) => beat.text === text)?.beat.heardBy ?? []

    expect(told.toSorted()).toEqual([...audience])
    expect(heardBy).toEqual(
      expect.arrayContaining([...audience.map(characterParticipant), narratorId]),
    )
  })

  it.each(['lucan', 'roe'])(
    'a turn handed to %s on another model leaves its next on its own',
    (character) => {
      const other = otherRoute(routes[character] ?? small)
      const handed = evening.during[`hand ${character}`] ?? []
      const next = (evening.during['after'] ?? []).find(
        ({ request }) => playedBy(request) === evening.table.scene.cast.names.get(character),
      )
      const beat = evening.beats.find(({ id }) => id.startsWith('delegate-') && isBy(id, character))

      expect(handed.map(({ request }) => request.chat.model)).toEqual([other.model])
      expect(newest(handed[0]?.request)).toContain('Weigh it again')
      expect(beat?.beat).toMatchObject({ kind: 'line', ...other })
      expect(next?.request.chat.model).toBe(routes[character]?.model)

      function isBy(id: string, by: CharacterId): boolean {
        const found = evening.beats.find((placed) => placed.id === id)
        return found?.beat.author.id === characterParticipant(by)
      }
    },
  )
})

const key = { type: 'string', description: expect.any(String) }
const tavernTools = [
  ['leave', { type: 'object', properties: {} }],
  [
    'whisper',
    {
      type: 'object',
      properties: {
        to: { type: 'array', items: { type: 'string' }, description: expect.any(String) },
        text: key,
      },
      required: ['to', 'text'],
    },
  ],
  ['world_get', { type: 'object', properties: { key }, required: ['key'] }],
  [
    'world_set',
    {
      type: 'object',
      properties: {
        key,
        value: { description: expect.any(String) },
        expected_version: { type: 'integer', description: expect.any(String) },
      },
      required: ['key', 'value', 'expected_version'],
    },
  ],
]

function saidIn(answer: Exchange['answer']): string {
  return answer.kind === 'say' ? answer.text : ''
}

/** All user messages of a request, as one line. */
function told(request: WireRequest | undefined): string {
  const texts = (request?.messages ?? []).filter(({ role }) => role === 'user')
  return texts.map(({ content }) => oneLine(content)).join(' ')
}

function newest(request: WireRequest | undefined): string {
  return request?.messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function timesIn(read: string, { beat }: PlacedBeat): number {
  return read.split(oneLine(beat.text)).length - 1
}

/** An answer as a later request holds it: the host's OpenAI adapter turns another model's thoughts into text. */
function rememberedBy(request: WireRequest, { answer, request: asked }: Exchange): string {
  const thought = answer.kind === 'say' ? (answer.reasoning ?? '') : ''
  const isForeign = request.protocol === 'openai' && asked.chat.model !== request.chat.model
  return isForeign ? thought + saidIn(answer) : saidIn(answer)
}

/** A cue is over with the first answer that calls no tool. */
function reportedPerCue(exchanges: readonly Exchange[]) {
  const costs: { inputTokens: number; outputTokens: number }[] = []
  let open = { inputTokens: 0, outputTokens: 0 }
  for (const { answer, usage } of exchanges) {
    open = {
      inputTokens: open.inputTokens + (usage?.prompt ?? 0),
      outputTokens: open.outputTokens + (usage?.completion ?? 0),
    }
    if (answer.kind === 'say' && answer.calls) continue
    costs.push(open)
    open = { inputTokens: 0, outputTokens: 0 }
  }
  return costs
}
