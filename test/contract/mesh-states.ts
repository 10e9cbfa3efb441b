/** The contract of state: compare-and-swap, versions that never repeat, prefixes, history. */
import { expect, it } from 'vitest'
import { type Fixture, by, spoil, withCode } from './mesh.ts'

export function stateContract(fixture: Fixture): void {
  swapContract(fixture)
  raceContract(fixture)
  repeatContract(fixture)
  deleteContract(fixture)
  listContract(fixture)
  historyContract(fixture)
}

function swapContract(fixture: Fixture): void {
  it('0 creates, the right version changes, a stale one meets the current record', async () => {
    const { states } = fixture.workspace()

    const created = await states.compareAndSwap({
      key: 'door',
      expectedVersion: 0,
      value: { open: false },
      by: 'mara',
      cause: 'cue-1',
    })
    const changed = await states.compareAndSwap({
      key: 'door',
      expectedVersion: 1,
      value: { open: true },
      by: 'ivo',
    })
    const stale = await states.compareAndSwap({
      key: 'door',
      expectedVersion: 1,
      value: 'broken',
      by,
    })

    expect(created).toMatchObject({
      status: 'swapped',
      replayed: false,
      record: { key: 'door', version: 1, value: { open: false }, by: 'mara', cause: 'cue-1' },
    })
    const current = await states.find('door')
    expect(changed).toEqual({ status: 'swapped', replayed: false, record: current })
    expect(current).toMatchObject({ version: 2, value: { open: true }, by: 'ivo' })
    expect(stale).toEqual({ status: 'conflict', current })
  })

  it('a key that is not there conflicts with nothing, and stays away', async () => {
    const { states } = fixture.workspace()

    const swap = await states.compareAndSwap({ key: 'door', expectedVersion: 1, value: 1, by })

    expect(swap).toEqual({ status: 'conflict', current: undefined })
    expect(await states.find('door')).toBeUndefined()
    expect(await states.history('door')).toEqual([])
    expect((await fixture.workspace().snapshot()).totals.states).toBe(0)
  })

  it('keys, versions and values have bounds', async () => {
    const { states } = fixture.workspace()
    const refused = withCode('invalid-argument')
    const swap = { key: 'door', expectedVersion: 0, value: 1, by }

    await expect(states.compareAndSwap({ ...swap, key: ' ' })).rejects.toMatchObject(refused)
    await expect(states.find('x'.repeat(257))).rejects.toMatchObject(refused)
    await expect(states.compareAndSwap({ ...swap, expectedVersion: -1 })).rejects.toMatchObject(
      refused,
    )
    await expect(states.compareAndSwap({ ...swap, expectedVersion: 0.5 })).rejects.toMatchObject(
      refused,
    )
    await expect(
      states.compareAndSwap({ ...swap, value: 'x'.repeat(256 * 1024) }),
    ).rejects.toMatchObject(withCode('payload-too-large'))
  })

  it('changing what was given, or what was returned, changes nothing stored', async () => {
    const { states } = fixture.workspace()
    const value = { items: ['lamp'] }

    const pending = states.compareAndSwap({ key: 'bag', expectedVersion: 0, value, by })
    spoil(value)
    await pending
    spoil((await states.find('bag'))?.value)

    expect((await states.find('bag'))?.value).toEqual({ items: ['lamp'] })
  })
}

function raceContract(fixture: Fixture): void {
  it('8 writers on one key lose no update, over two openings of the store', async () => {
    const here = fixture.workspace().states
    const there = (await fixture.open()).workspace('workspace:inn').states
    const add = async (states: typeof here, writer: string) => {
      for (let won = 0; won < 10;) {
        const current = await states.find('count')
        const swap = await states.compareAndSwap({
          key: 'count',
          expectedVersion: current?.version ?? 0,
          value: Number(current?.value ?? 0) + 1,
          by: writer,
        })
        if (swap.status === 'swapped') won += 1
      }
    }

    await Promise.all(
      Array.from({ length: 8 }, (_, index) => add(index % 2 ? here : there, `writer-${index}`)),
    )

    expect(await here.find('count')).toMatchObject({ value: 80, version: 80 })
    const authors = (await here.history('count')).map((change) => change.by)
    for (let index = 0; index < 8; index += 1) {
      expect(authors.filter((author) => author === `writer-${index}`)).toHaveLength(10)
    }
  })

  it('of swaps from one version exactly one wins', async () => {
    const { states } = fixture.workspace()

    const swaps = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        states.compareAndSwap({ key: 'crown', expectedVersion: 0, value: index, by }),
      ),
    )

    const winner = swaps.filter((swap) => swap.status === 'swapped')
    expect(winner).toHaveLength(1)
    expect(winner[0]?.record).toEqual(await states.find('crown'))
  })
}

function repeatContract(fixture: Fixture): void {
  it('a change with an id that won is returned again, also after later changes', async () => {
    const { states } = fixture.workspace()
    const swap = { key: 'door', expectedVersion: 0, value: 'open', by: 'mara', id: 'beat-1' }

    const first = await states.compareAndSwap(swap)
    await states.compareAndSwap({ key: 'door', expectedVersion: 1, value: 'shut', by })
    const again = await states.compareAndSwap(swap)

    expect(again).toEqual({ ...first, replayed: true })
    expect(await states.find('door')).toMatchObject({ version: 2, value: 'shut' })
  })

  it('a change with an id that lost is tried again', async () => {
    const { states } = fixture.workspace()
    await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 'open', by })
    const swap = { key: 'door', value: 'shut', by, id: 'beat-1' }

    expect(await states.compareAndSwap({ ...swap, expectedVersion: 0 })).toMatchObject({
      status: 'conflict',
    })
    expect(await states.compareAndSwap({ ...swap, expectedVersion: 1 })).toMatchObject({
      status: 'swapped',
      replayed: false,
    })
  })

  it('the same change twice at once happens once; one id may change two keys', async () => {
    const { states } = fixture.workspace()
    const swap = { expectedVersion: 0, value: 1, by, id: 'beat-1' }

    const [one, two] = await Promise.all([
      states.compareAndSwap({ ...swap, key: 'door' }),
      states.compareAndSwap({ ...swap, key: 'door' }),
    ])
    const other = await states.compareAndSwap({ ...swap, key: 'lamp' })

    expect([one, two].map((result) => result.status === 'swapped' && result.replayed)).toEqual([
      false,
      true,
    ])
    expect(other).toMatchObject({ status: 'swapped', replayed: false })
    expect(await states.history('door')).toHaveLength(1)
  })

  it('a deletion with an id happens once, and is no swap', async () => {
    const { states } = fixture.workspace()
    await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 1, by })
    const deletion = { key: 'door', expectedVersion: 1, by, id: 'beat-1' }

    const first = await states.delete(deletion)
    const again = await states.delete(deletion)

    expect(first).toEqual({ status: 'deleted', version: 2 })
    expect(again).toEqual(first)
    await expect(states.compareAndSwap({ ...deletion, value: 2 })).rejects.toMatchObject(
      withCode('invalid-argument'),
    )
  })
}

function deleteContract(fixture: Fixture): void {
  it('a deleted key is gone, its versions are not: none comes twice', async () => {
    const { states } = fixture.workspace()
    await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 1, by })

    expect(await states.delete({ key: 'door', expectedVersion: 2, by })).toMatchObject({
      status: 'conflict',
      current: { version: 1 },
    })
    expect(await states.delete({ key: 'door', expectedVersion: 1, by })).toEqual({
      status: 'deleted',
      version: 2,
    })

    expect(await states.find('door')).toBeUndefined()
    expect(await states.list('')).toEqual([])
    expect((await fixture.workspace().snapshot()).totals.states).toBe(0)
    const stale = await states.compareAndSwap({ key: 'door', expectedVersion: 1, value: 2, by })
    expect(stale).toEqual({ status: 'conflict', current: undefined })
    const created = await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 3, by })
    expect(created).toMatchObject({ status: 'swapped', record: { version: 3, value: 3 } })
    expect((await fixture.workspace().snapshot()).totals.states).toBe(1)
  })

  it('what is not there cannot be deleted', async () => {
    const { states } = fixture.workspace()

    expect(await states.delete({ key: 'door', expectedVersion: 0, by })).toEqual({
      status: 'conflict',
      current: undefined,
    })
  })
}

function listContract(fixture: Fixture): void {
  it('lists a prefix by code point, whatever the script', async () => {
    const { states } = fixture.workspace()
    const inside = [
      '酒/',
      '酒/a',
      '酒/\ud7ff',
      '酒/\uffff',
      '酒/🐉',
      '酒/\u{10ffff}',
      '酒/\u{10ffff}z',
    ]
    const outside = ['酒', '酒.', '酒0', '酓/']
    for (const key of [...inside, ...outside].toReversed()) {
      await states.compareAndSwap({ key, expectedVersion: 0, value: key, by })
    }

    const listed = await states.list('酒/')
    const all = await states.list('')

    expect(listed.map((record) => record.key)).toEqual(inside)
    expect(all).toHaveLength(inside.length + outside.length)
    expect((await states.list('酒/\u{10ffff}')).map((record) => record.key)).toEqual([
      '酒/\u{10ffff}',
      '酒/\u{10ffff}z',
    ])
    expect(await states.list('酒/\ud7ff')).toHaveLength(1)
    expect(await states.list('x')).toEqual([])
  })

  it('lists page by page', async () => {
    const { states } = fixture.workspace()
    for (let index = 10; index < 35; index += 1) {
      await states.compareAndSwap({ key: `item/${index}`, expectedVersion: 0, value: index, by })
    }

    const seen: string[] = []
    for (;;) {
      const after = seen.at(-1)
      const page = await states.list('item/', { limit: 10, ...(after ? { after } : {}) })
      if (page.length === 0) break
      seen.push(...page.map((record) => record.key))
    }

    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `item/${index + 10}`))
  })
}

function historyContract(fixture: Fixture): void {
  it('the history names every change, its author and its cause, in one order for the workspace', async () => {
    const { states } = fixture.workspace()
    await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 1, by: 'a', cause: 'x' })
    await states.compareAndSwap({ key: 'lamp', expectedVersion: 0, value: 9, by: 'b' })
    await states.compareAndSwap({ key: 'door', expectedVersion: 1, value: 2, by: 'c' })
    await states.delete({ key: 'door', expectedVersion: 2, by: 'd', cause: 'y' })

    const history = await states.history('door')

    expect(history).toMatchObject([
      { kind: 'set', sequence: 1, version: 1, value: 1, by: 'a', cause: 'x' },
      { kind: 'set', sequence: 3, version: 2, value: 2, by: 'c' },
      { kind: 'deleted', sequence: 4, version: 3, by: 'd', cause: 'y' },
    ])
    expect(await states.history('door', { after: 1, limit: 1 })).toEqual(history.slice(1, 2))
    expect(await states.history('door', { after: 2 })).toEqual(history.slice(1))
    expect(await states.history('door', { after: 4 })).toEqual([])
    expect(await states.history('lamp')).toMatchObject([{ sequence: 2 }])
  })
}
