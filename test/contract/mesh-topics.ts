/** The contract of topics: order, idempotent publishing, cursors, pruning, bounds. */
import { jsonValue, sample } from 'fast-check'
import { expect, it } from 'vitest'
import { type Fixture, by, spoil, withCode } from './mesh.ts'

export function topicContract(fixture: Fixture): void {
  placeContract(fixture)
  orderContract(fixture)
  onceContract(fixture)
  headContract(fixture)
  cursorContract(fixture)
  pruneContract(fixture)
  payloadContract(fixture)
}

async function scene(fixture: Fixture) {
  const { topics } = fixture.workspace()
  await topics.create({ id: 'scene', by })
  return topics
}

function placeContract(fixture: Fixture): void {
  it('creating a topic twice is refused; opening it twice gives the first', async () => {
    const { topics } = fixture.workspace()

    const created = await topics.create({ id: 'scene', by, label: 'The inn' })

    expect(created).toMatchObject({ id: 'scene', label: 'The inn', by, headSequence: 0 })
    await expect(topics.create({ id: 'scene', by })).rejects.toMatchObject(
      withCode('already-exists'),
    )
    expect(await topics.open({ id: 'scene', by: 'somebody', label: 'Other' })).toEqual(created)
    expect(await topics.open({ id: 'mill', by })).toMatchObject({ id: 'mill', label: 'mill' })
  })

  it('two openings at once make one topic', async () => {
    const { topics } = fixture.workspace()

    const [one, two] = await Promise.all([
      topics.open({ id: 'scene', by: 'ivo' }),
      topics.open({ id: 'scene', by: 'tess' }),
    ])

    expect(one).toEqual(two)
  })

  it('an unknown topic is not found, whatever is asked of it', async () => {
    const { topics } = fixture.workspace()
    const missing = withCode('not-found')

    await expect(topics.publish('nowhere', { payload: 1, by })).rejects.toMatchObject(missing)
    await expect(topics.read('nowhere')).rejects.toMatchObject(missing)
    await expect(topics.tail('nowhere')).rejects.toMatchObject(missing)
    await expect(topics.findMessage('nowhere', 'one')).rejects.toMatchObject(missing)
    await expect(topics.prune('nowhere', 0)).rejects.toMatchObject(missing)
    expect(await topics.find('nowhere')).toBeUndefined()
  })

  it('an id has 1 to 256 UTF-8 bytes and is not blank', async () => {
    const { topics } = fixture.workspace()
    const refused = withCode('invalid-argument')

    await topics.create({ id: 'é'.repeat(128), by })
    await topics.create({ id: 'labelled', by, label: 'x'.repeat(512) })

    for (const id of ['', '  ', 'x'.repeat(257), 'é'.repeat(129), '\ud800']) {
      await expect(topics.create({ id, by })).rejects.toMatchObject(refused)
      await expect(topics.create({ id: 'named', by: id })).rejects.toMatchObject(refused)
    }
    await expect(topics.create({ id: 'x'.repeat(257), by })).rejects.toThrow(/1 to 256.*257/)
    await expect(topics.create({ id: 'long', by, label: 'x'.repeat(513) })).rejects.toMatchObject(
      refused,
    )
  })
}

function orderContract(fixture: Fixture): void {
  it('order is the sequence: 60 publishes at once are read back in the order they were made', async () => {
    const topics = await scene(fixture)

    const published = await Promise.all(
      Array.from({ length: 60 }, (_, index) => topics.publish('scene', { payload: index, by })),
    )

    expect(published.map((message) => message.sequence)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    )
    expect(await topics.read('scene')).toEqual(published)
    expect(await topics.find('scene')).toMatchObject({ headSequence: 60 })
  })

  it('a clock that goes backwards changes no order', async () => {
    let now = 5000
    const mesh = await fixture.open({ now: () => (now -= 100) })
    const { topics } = mesh.workspace('workspace:inn')
    await topics.create({ id: 'scene', by })

    for (const payload of ['one', 'two', 'three']) await topics.publish('scene', { payload, by })

    const messages = await topics.read('scene')
    expect(messages.map((message) => message.payload)).toEqual(['one', 'two', 'three'])
    expect(messages[0]?.publishedAt).toBeGreaterThan(messages[2]?.publishedAt ?? 0)
  })

  it('a message shows who wrote it, for whom and why, and nothing where nothing was said', async () => {
    const topics = await scene(fixture)

    const whisper = await topics.publish('scene', {
      payload: { text: 'psst' },
      by: 'mara',
      cause: 'cue-1',
      to: ['ivo', 'tess'],
    })
    const plain = await topics.publish('scene', { payload: null, by })

    expect(whisper).toMatchObject({ topicId: 'scene', by: 'mara', cause: 'cue-1' })
    expect(whisper.to).toEqual(['ivo', 'tess'])
    expect(Object.keys(plain).toSorted()).toEqual(
      ['topicId', 'sequence', 'id', 'payload', 'by', 'publishedAt'].toSorted(),
    )
    expect(await topics.read('scene')).toEqual([whisper, plain])
  })
}

function onceContract(fixture: Fixture): void {
  it('the same id twice is one message, the first', async () => {
    const topics = await scene(fixture)

    const first = await topics.publish('scene', { payload: 'first', by, id: 'beat' })
    const again = await topics.publish('scene', { payload: 'second', by: 'other', id: 'beat' })

    expect(again).toEqual(first)
    expect(await topics.read('scene')).toEqual([first])
    expect(await topics.findMessage('scene', 'beat')).toEqual(first)
    expect(await topics.findMessage('scene', 'other')).toBeUndefined()
  })

  it('the same id twice at once is one message, also over two openings of the store', async () => {
    const topics = await scene(fixture)
    const elsewhere = (await fixture.open()).workspace('workspace:inn').topics

    const published = await Promise.all(
      [topics, topics, elsewhere, elsewhere].map((door, index) =>
        door.publish('scene', { payload: index, by, id: 'beat' }),
      ),
    )

    const [stored] = await topics.read('scene')
    expect(published).toEqual([stored, stored, stored, stored])
    expect(await topics.find('scene')).toMatchObject({ headSequence: 1 })
  })

  it('a message without an id gets its own, which finds it and publishes it no second time', async () => {
    const topics = await scene(fixture)

    const one = await topics.publish('scene', { payload: 1, by })
    const two = await topics.publish('scene', { payload: 1, by })

    expect(one.id).not.toBe(two.id)
    expect(await topics.findMessage('scene', two.id)).toEqual(two)
    expect(await topics.publish('scene', { payload: 2, by, id: one.id })).toEqual(one)
  })
}

function headContract(fixture: Fixture): void {
  it('a publish at a known head happens only there, and is told the head otherwise', async () => {
    const topics = await scene(fixture)
    const elsewhere = (await fixture.open()).workspace('workspace:inn').topics
    const post = { by, expectedHead: 0 }

    const first = await topics.publishAt('scene', { ...post, payload: 1, id: 'one' })
    const stale = await elsewhere.publishAt('scene', { ...post, payload: 2, id: 'two' })
    const next = await elsewhere.publishAt('scene', { by, expectedHead: 1, payload: 2, id: 'two' })
    const ahead = await topics.publishAt('scene', { by, expectedHead: 9, payload: 3, id: 'three' })

    expect(first).toMatchObject({ status: 'published', replayed: false, message: { sequence: 1 } })
    expect(stale).toEqual({ status: 'conflict', headSequence: 1 })
    expect(next).toMatchObject({ status: 'published', message: { sequence: 2, payload: 2 } })
    expect(ahead).toEqual({ status: 'conflict', headSequence: 2 })
    expect(await sequences(topics.read('scene'))).toEqual([1, 2])
  })

  it('what is published already is returned, whatever the head', async () => {
    const topics = await scene(fixture)
    const first = await topics.publish('scene', { payload: 1, by, id: 'one' })
    await topics.publish('scene', { payload: 2, by })

    const again = await topics.publishAt('scene', { payload: 9, by, id: 'one', expectedHead: 0 })

    expect(again).toEqual({ status: 'published', message: first, replayed: true })
  })

  it('publishes issued in one turn, each at the head after the one before, all happen', async () => {
    const topics = await scene(fixture)

    const published = await Promise.all(
      [0, 1, 2, 3].map((expectedHead) =>
        topics.publishAt('scene', { payload: expectedHead, by, expectedHead }),
      ),
    )

    expect(published).toMatchObject([1, 2, 3, 4].map((sequence) => ({ message: { sequence } })))
  })

  it('of many writers at one head exactly one publishes', async () => {
    const topics = await scene(fixture)
    const elsewhere = (await fixture.open()).workspace('workspace:inn').topics

    const published = await Promise.all(
      [topics, elsewhere, topics, elsewhere].map((door, index) =>
        door.publishAt('scene', { payload: index, by, expectedHead: 0 }),
      ),
    )

    expect(published.filter(({ status }) => status === 'published')).toHaveLength(1)
    expect(await topics.find('scene')).toMatchObject({ headSequence: 1 })
    const unknown = topics.publishAt('mill', { payload: 1, by, expectedHead: 0 })
    await expect(unknown).rejects.toMatchObject(withCode('not-found'))
  })
}

async function sequences(page: Promise<readonly { sequence: number }[]>) {
  return (await page).map((message) => message.sequence)
}

function cursorContract(fixture: Fixture): void {
  it('reads forward by cursor and backward from the end', async () => {
    const topics = await scene(fixture)
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => topics.publish('scene', { payload: index + 1, by })),
    )

    expect(await sequences(topics.read('scene', { limit: 3 }))).toEqual([1, 2, 3])
    expect(await sequences(topics.read('scene', { after: 7, limit: 3 }))).toEqual([8, 9, 10])
    expect(await sequences(topics.read('scene', { after: 28 }))).toEqual([29, 30])
    expect(await sequences(topics.read('scene', { after: 30 }))).toEqual([])
    expect(await sequences(topics.tail('scene', { limit: 2 }))).toEqual([29, 30])
    expect(await sequences(topics.tail('scene', { limit: 3, before: 17 }))).toEqual([14, 15, 16])
    expect(await sequences(topics.tail('scene', { before: 1 }))).toEqual([])
  })

  it('a page of 100 is the default, 500 the most', async () => {
    const topics = await scene(fixture)
    await Promise.all(
      Array.from({ length: 120 }, (_, index) => topics.publish('scene', { payload: index, by })),
    )

    expect(await topics.read('scene')).toHaveLength(100)
    expect(await topics.read('scene', { limit: 500 })).toHaveLength(120)
    await expect(topics.read('scene', { limit: 501 })).rejects.toMatchObject(
      withCode('invalid-argument'),
    )
    await expect(topics.read('scene', { after: -1 })).rejects.toMatchObject(
      withCode('invalid-argument'),
    )
  })
}

function pruneContract(fixture: Fixture): void {
  it('prunes the oldest, and a sequence never comes back', async () => {
    const topics = await scene(fixture)
    for (let index = 1; index <= 20; index += 1) {
      await topics.publish('scene', { payload: index, by, id: `beat-${index}` })
    }

    expect(await topics.prune('scene', 7)).toEqual({ deleted: 13, retained: 7 })
    expect(await topics.prune('scene', 7)).toEqual({ deleted: 0, retained: 7 })

    const left = await topics.read('scene')
    expect(left.map((message) => message.sequence)).toEqual([14, 15, 16, 17, 18, 19, 20])
    expect(await topics.findMessage('scene', 'beat-13')).toBeUndefined()
    expect(await topics.findMessage('scene', 'beat-14')).toMatchObject({ sequence: 14 })
    expect((await fixture.workspace().snapshot()).totals.topicMessages).toBe(7)
  })

  it('a topic pruned to nothing goes on where it was, for every opening of the store', async () => {
    const topics = await scene(fixture)
    await fixture.workspace().topics.create({ id: 'other', by })
    for (let index = 1; index <= 3; index += 1) {
      await topics.publish('scene', { payload: index, by, id: `beat-${index}` })
    }

    expect(await topics.prune('scene', 0)).toEqual({ deleted: 3, retained: 0 })

    const elsewhere = (await fixture.open()).workspace('workspace:inn').topics
    await elsewhere.publish('other', { payload: 'takes what was freed', by })
    expect(await elsewhere.read('scene')).toEqual([])
    expect(await elsewhere.find('scene')).toMatchObject({ headSequence: 3 })
    expect(await elsewhere.publish('scene', { payload: 4, by, id: 'beat-1' })).toMatchObject({
      sequence: 4,
      payload: 4,
    })
    expect(await topics.read('scene')).toMatchObject([{ sequence: 4 }])
  })

  it('prunes more than one commit holds', async () => {
    const topics = await scene(fixture)
    await Promise.all(
      Array.from({ length: 450 }, (_, index) => topics.publish('scene', { payload: index, by })),
    )

    expect(await topics.prune('scene', 10)).toEqual({ deleted: 440, retained: 10 })
    expect(await topics.read('scene')).toHaveLength(10)
    await expect(topics.prune('scene', -1)).rejects.toMatchObject(withCode('invalid-argument'))
  })
}

function payloadContract(fixture: Fixture): void {
  it('any JSON comes back as it went in', async () => {
    const topics = await scene(fixture)
    const values = sample(jsonValue({ stringUnit: 'binary' }), 40)
    const awkward = [null, '', '\ud800', '\u0000', 'it\'s "quoted"', { ['__proto__']: 1 }, [[]]]

    for (const payload of [...values, ...awkward]) {
      const stored = JSON.parse(JSON.stringify(payload))
      const message = await topics.publish('scene', { payload: stored, by })
      expect(message.payload).toEqual(stored)
      expect((await topics.findMessage('scene', message.id))?.payload).toEqual(stored)
    }
  })

  it('changing what was given, or what was returned, changes nothing stored', async () => {
    const topics = await scene(fixture)
    const payload = { items: ['lamp'] }

    const pending = topics.publish('scene', { payload, by, id: 'beat' })
    spoil(payload)
    spoil((await pending).payload)
    for (const message of await topics.read('scene')) spoil(message.payload)

    expect((await topics.findMessage('scene', 'beat'))?.payload).toEqual({ items: ['lamp'] })
  })

  it('a payload has at most 256 KiB of JSON, and one that is no JSON is refused', async () => {
    const topics = await scene(fixture)
    const most = 'x'.repeat(256 * 1024 - 2)
    const circle: Record<string, unknown> = {}
    circle['self'] = circle

    await topics.publish('scene', { payload: most, by })

    await expect(topics.publish('scene', { payload: `${most}x`, by })).rejects.toMatchObject(
      withCode('payload-too-large'),
    )
    for (const payload of [undefined, circle, 1n]) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the compiler forbids and a caller may do
      const post = { payload: payload as never, by }
      await expect(topics.publish('scene', post)).rejects.toMatchObject(
        withCode('invalid-argument'),
      )
    }
    expect(await topics.find('scene')).toMatchObject({ headSequence: 1 })
  })
}
