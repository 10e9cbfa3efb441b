/** A whole scene played by models behind the real wire protocols, judged by what the server received for each character. */
import { characterParticipant, narratorId } from 'dsh-tavern-protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Evening, otherRoute, playEvening, type Routes } from './evening.ts'
import { playedBy } from './players.ts'
import { needlesOf, privateTexts, whisperedTexts, wordsOf } from './privacy.ts'
import type { Exchange } from './provider-server.ts'
import {
  allToldIn,
  newestIn,
  oneLine,
  ownWordsIn,
  rememberedIn,
  saidIn,
  thoughtIn,
  timesIn,
} from './reading.ts'
import { flash, keys, large, pro, small } from './table.ts'
import { tavernTools } from './tavern-tools.ts'

/** Milliseconds a whole evening may take on a busy machine. */
const SLOW = 60_000

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
  }, SLOW)
  afterAll(async () => {
    await evening.end()
  })

  it('every character was asked, only with what a provider takes, and every answer was said', () => {
    const { beats, players, server } = evening
    const said = server.exchanges.map(saidIn).filter((text) => text !== '')

    expect(server.complaints).toEqual([])
    expect(players.unplayed).toBe(0)
    for (const character of characters) expect(evening.of(character).length).toBeGreaterThan(1)
    for (const text of said) expect(beats.filter(({ beat }) => beat.text === text)).toHaveLength(1)
  })

  it.each(characters)('%s is asked as itself: persona and secrets, model and key', (character) => {
    const { scene } = evening.table
    const { description, name } = scene.cast.cardOf(character)
    const secrets = scene.cast.member(character)?.secrets ?? []
    const { provider, model } = routes[character] ?? small
    const requests = evening.of(character).map(({ request }) => request)
    const handed = (evening.during[`hand ${character}`] ?? []).map(({ request }) => request)

    const systems = [...new Set(requests.map(({ system }) => system))]
    const own = requests.filter((request) => !handed.includes(request))

    expect(systems).toHaveLength(1)
    expect(secrets.length).toBeGreaterThan(0)
    for (const text of [description, ...secrets]) {
      expect(systems[0]).toContain(text.replaceAll('{{char}}', name))
    }
    expect([...new Set(own.map(({ chat }) => chat.model))]).toEqual([model])
    expect([...new Set(own.map(({ protocol }) => protocol))]).toEqual([
      provider === small.provider ? 'openai' : 'deepseek',
    ])
    for (const { protocol, authorization, raw } of requests) {
      expect(authorization).toBe(`Bearer ${keys[protocol]}`)
      for (const key of Object.values(keys)) expect(raw).not.toContain(key)
    }
  })

  it('nobody is sent a word that only others may know', () => {
    const { scene } = evening.table
    const { premise, persona } = scene.run.scene
    const needles = needlesOf(
      [...privateTexts(scene), ...whisperedTexts(evening.beats)],
      [premise, persona.description, scene.cast.greeting()],
    )

    const hits = characters.flatMap((character) =>
      evening.of(character).flatMap(({ request }) => {
        const words = wordsOf(request)
        return needles
          .filter((needle) => words.includes(needle.words))
          .map((needle) => ({ character, needle }))
      }),
    )

    const leaks = hits.filter(({ character, needle }) => !needle.owners.has(character))
    expect(leaks).toEqual([])
    // and what its owners were to be told is found where it was told, by the same search
    const found = new Set(hits.map(({ needle }) => needle))
    const never = needles.filter((needle) => !needle.from.startsWith('card') && !found.has(needle))
    expect(never).toEqual([])
    expect(found.size).toBeGreaterThan(1000)
  })

  it('the tools are the four of the tavern, in every request', () => {
    for (const { request } of evening.server.exchanges) {
      const offered = (request.chat.tools ?? []).map((tool) => tool.function)

      expect(offered).toEqual(tavernTools)
    }
  })

  it.each(characters)('%s reads every line it perceived once, in its order', (character) => {
    const self = characterParticipant(character)
    const requests = evening.of(character).map(({ request }) => request)
    const last = evening.beats.findLast(({ beat }) => beat.author.id === self && 'usage' in beat)
    const others = evening.beats.filter(({ beat }) => beat.author.id !== self)
    const before = others.filter(({ sequence }) => sequence < (last?.sequence ?? 0))
    const heard = before.filter(({ beat }) => beat.heardBy.includes(self))
    const textsOf = (beats: typeof others) => beats.map(({ beat }) => oneLine(beat.text))

    const told = requests.map(allToldIn)
    const read = told.at(-1) ?? ''

    expect(heard.length).toBeGreaterThan(8)
    for (const text of textsOf(heard)) expect(timesIn(read, text)).toBe(1)
    for (const text of textsOf(others.filter((placed) => !heard.includes(placed)))) {
      expect(timesIn(read, text)).toBe(0)
    }
    const places = textsOf(heard).map((text) => read.indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    // each request begins with all that was told before, so nothing is told again or taken back
    expect(told.slice(1).filter((later, at) => !later.startsWith(told[at] ?? ''))).toEqual([])
  })

  it.each(characters)('%s finds its earlier answers as its own, and only there', (character) => {
    const exchanges = evening.of(character)
    const { cast, run } = evening.table.scene
    const opening = run.scene.greeting === character ? [cast.greeting()] : []

    for (const [index, { request }] of exchanges.entries()) {
      const earlier = exchanges.slice(0, index)
      const own = earlier.map((exchange) => rememberedIn(request, exchange))

      expect(ownWordsIn(request)).toEqual([...opening, ...own])
      const read = allToldIn(request)
      const repeated = earlier.map(saidIn).filter((text) => text !== '' && read.includes(text))
      expect(repeated).toEqual([])
    }
  })

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
    const { exchanges } = evening.server
    const thinking = exchanges.filter((exchange) => thoughtIn(exchange) !== '')

    expect(thinking.length).toBeGreaterThan(8)
    for (const exchange of thinking) {
      const [word = ''] = thoughtIn(exchange).split(' ')
      const readers = exchanges.filter(({ request }) => request.raw.includes(word))
      const others = readers.filter(
        ({ request }) => playedBy(request) !== playedBy(exchange.request),
      )
      expect(others).toEqual([])
      expect(evening.beats.filter(({ beat }) => beat.text.includes(word))).toEqual([])
    }
  })

  it('a change of the world by a tool call happens once, and everyone reads it after', async () => {
    const changes = evening.beats.flatMap(({ beat }) =>
      'changes' in beat ? (beat.changes ?? []) : [],
    )
    const world = await evening.table.scene.world()
    const before = evening.during['blame']?.[0]?.request
    const after = (evening.during['after'] ?? []).map(({ request }) => newestIn(request))

    expect(changes).toEqual([{ status: 'applied', key: 'blame', value: 'the sea', version: 2 }])
    expect(world.find(({ key }) => key === 'blame')).toMatchObject({ value: 'the sea', version: 2 })
    expect(newestIn(before)).toContain('- blame (version 1): "nobody"')
    expect(after.length).toBeGreaterThan(1)
    for (const text of after) expect(text).toContain('- blame (version 2): "the sea"')
  })

  it('tool calls and their results stand as pairs in the next request', () => {
    const [asked, answered] = (evening.during['blame'] ?? []).filter(
      ({ request }) => playedBy(request) === 'Aurelio Crane',
    )

    const added = answered?.request.messages.slice(asked?.request.messages.length) ?? []
    const calls = added.flatMap((each) => (each.role === 'assistant' ? each.tool_calls : []))
    const results = added.flatMap((each) => (each.role === 'tool' ? [each] : []))

    expect(added.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool'])
    expect(calls.map((call) => call?.function.name)).toEqual(['world_set', 'whisper'])
    expect(results.map((result) => result.tool_call_id)).toEqual(calls.map((call) => call?.id))
    expect(results.map(({ content }) => JSON.parse(content) as unknown)).toEqual([
      { status: 'staged', version: 2 },
      { status: 'staged' },
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

    const heardBy = evening.beats.find(({ beat }) => beat.text === text)?.beat.heardBy
    expect(told.toSorted()).toEqual(audience)
    expect(heardBy).toEqual(
      expect.arrayContaining([...audience.map(characterParticipant), narratorId]),
    )
  })

  it.each(['lucan', 'roe'])('a turn handed to %s on another model lasts one turn', (character) => {
    const own = routes[character] ?? small
    const name = evening.table.scene.cast.names.get(character)
    const handed = evening.during[`hand ${character}`] ?? []
    const next = (evening.during['after'] ?? []).find(({ request }) => playedBy(request) === name)
    const beat = evening.beats.find(({ beat: { text } }) => text === handed.map(saidIn).join())

    expect(handed.map(({ request }) => request.chat.model)).toEqual([otherRoute(own).model])
    expect(newestIn(handed[0]?.request)).toContain(`Weigh it again, ${character}`)
    expect(beat?.beat).toMatchObject({ kind: 'line', ...otherRoute(own) })
    expect(next?.request.chat.model).toBe(own.model)
  })
})

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
