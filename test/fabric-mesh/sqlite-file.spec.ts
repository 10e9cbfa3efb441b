/** The file of a store: how it is made, and what of a foreign, newer or damaged one is refused. */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { MeshReport, Topics } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withCode } from '../contract/mesh.ts'
import { type SqliteBed, by, identity, mara, sqliteBed } from './sqlite-bed.ts'

let bed: SqliteBed
beforeEach(() => {
  bed = sqliteBed({ patienceMs: 50 })
})
afterEach(() => bed.dispose())

/** Does to the closed file what the mesh itself never would. */
function tamper(sql: string): void {
  const database = new DatabaseSync(bed.path)
  database.exec(sql)
  database.close()
}

async function checked(): Promise<MeshReport> {
  const mesh = await bed.open()
  try {
    return await mesh.check()
  } finally {
    await mesh.close()
  }
}

async function firstWatched(watch: Topics['watch'], after: number): Promise<unknown> {
  for await (const message of watch('scene', { after, signal: AbortSignal.timeout(5000) })) {
    return message
  }
  return undefined
}

function namesLike(text: string): number {
  const database = new DatabaseSync(bed.path)
  const rows = database.prepare('SELECT 1 FROM name WHERE text = ?').all(text)
  database.close()
  return rows.length
}

describe('the file', () => {
  it('is made with its folders, for its owner only', async () => {
    const path = join(bed.folder, 'deep', 'down', 'mesh.db')

    const mesh = openSqliteMesh({ path })
    await mesh.workspace(identity).topics.create({ id: 'scene', by })
    const mode = statSync(path).mode & 0o777
    await mesh.close()

    expect(mode).toBe(0o600)
  })

  it('that is no database is refused, and named', () => {
    writeFileSync(
      bed.path,
      'These are the notes of an innkeeper, and no database at all.'.repeat(20),
    )

    expect(() => openSqliteMesh({ path: bed.path })).toThrow(
      expect.objectContaining(withCode('store-invalid')),
    )
    expect(() => openSqliteMesh({ path: bed.path })).toThrow(bed.path)
  })

  it('of another program is refused, and not changed', () => {
    tamper('CREATE TABLE notes (text TEXT)')

    expect(() => openSqliteMesh({ path: bed.path })).toThrow(/database of another program/)

    const database = new DatabaseSync(bed.path)
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' })
    expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'notes' }])
    database.close()
  })

  it('of a newer version is refused, and its version told', async () => {
    await bed.within(({ topics }) => topics.create({ id: 'scene', by }))
    tamper('PRAGMA user_version = 99')

    expect(() => openSqliteMesh({ path: bed.path })).toThrow(/version 99.*reads version 2/)
  })

  it('in a place that is no folder is refused, and named', () => {
    writeFileSync(join(bed.folder, 'file'), '')

    expect(() => openSqliteMesh({ path: join(bed.folder, 'file', 'mesh.db') })).toThrow(
      expect.objectContaining(withCode('store-unavailable')),
    )
  })
})

describe('a damaged store', () => {
  beforeEach(() =>
    bed.within(async ({ topics, states, mailboxes }) => {
      await topics.create({ id: 'scene', by })
      for (const payload of ['one', 'two', 'three']) await topics.publish('scene', { payload, by })
      await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 'four', by })
      await mailboxes.create({ id: 'box', by })
      await mailboxes.send('box', { payload: 'five', by, id: 'cue' })
    }),
  )

  it('a payload that does not parse is passed over by pages and watches, and spoils no other', async () => {
    tamper(`UPDATE record SET payload = '{"half' WHERE payload = '"two"'`)

    await bed.within(async ({ topics, states }) => {
      const sound = [{ payload: 'one' }, { payload: 'three' }]
      expect(await topics.read('scene')).toMatchObject(sound)
      expect(await topics.tail('scene', { limit: 3 })).toMatchObject(sound)
      expect(await firstWatched(topics.watch.bind(topics), 1)).toMatchObject({ payload: 'three' })
      expect(await states.find('door')).toMatchObject({ value: 'four' })
      expect(await topics.publish('scene', { payload: 'six', by })).toMatchObject({ sequence: 4 })
    })
  })

  it('a log that does not parse spoils its own topic only', async () => {
    tamper(`UPDATE part SET refs = '[1,' WHERE place = (SELECT id FROM place WHERE name = 'scene')`)

    await bed.within(async ({ topics, mailboxes }) => {
      const invalid = withCode('store-invalid')

      await expect(topics.read('scene')).rejects.toMatchObject(invalid)
      await expect(topics.publish('scene', { payload: 'six', by })).rejects.toMatchObject(invalid)
      expect(await mailboxes.claim('box', mara)).toMatchObject({ message: { payload: 'five' } })
    })
  })

  it('a write that fails half done leaves no author behind, in the store or in memory', async () => {
    tamper(`UPDATE part SET refs = '[1,' WHERE place = (SELECT id FROM place WHERE name = 'scene')`)

    await bed.within(async ({ topics }) => {
      await topics.create({ id: 'mill', by })
      const [failed, first] = await Promise.allSettled([
        topics.publish('scene', { payload: 1, by: 'a newcomer' }),
        topics.publish('mill', { payload: 1, by }),
      ])
      expect([failed.status, first.status]).toEqual(['rejected', 'fulfilled'])
      expect(namesLike('a newcomer')).toBe(0)

      await topics.publish('mill', { payload: 2, by: 'a newcomer' })
    })
    await bed.within(async ({ topics }) => {
      expect(await topics.read('mill')).toMatchObject([{ by }, { by: 'a newcomer' }])
    })
  })

  it('asked for by name, a damaged record names its row', async () => {
    tamper(`UPDATE record SET payload = '{"half' WHERE payload IN ('"four"', '"five"')`)
    const invalid = { code: 'store-invalid', detail: { table: 'record', path: bed.path } }

    await bed.within(async ({ states, mailboxes }) => {
      expect(await states.list('')).toEqual([])
      await expect(states.find('door')).rejects.toMatchObject(invalid)
      await expect(mailboxes.findMessage('box', 'cue')).rejects.toMatchObject(invalid)
    })
  })

  it('a mailbox message without its status is passed over', async () => {
    tamper('DELETE FROM desk WHERE lane = 1')

    await bed.within(async ({ mailboxes }) => {
      expect(await mailboxes.read('box')).toEqual([])
      await expect(mailboxes.findMessage('box', 'cue')).rejects.toMatchObject({
        code: 'store-invalid',
        detail: { table: 'record' },
      })
    })
  })

  it('a message that cannot be read blocks no mailbox: the next one is claimed', async () => {
    tamper(`UPDATE record SET payload = '{"half' WHERE payload = '"five"'`)

    await bed.within(async ({ mailboxes }) => {
      await mailboxes.send('box', { payload: 'six', by })

      expect(await mailboxes.claim('box', mara)).toMatchObject({ message: { payload: 'six' } })
      expect(await mailboxes.claim('box', mara)).toBeUndefined()
      expect(await mailboxes.find('box')).toMatchObject({ queued: 0, claimed: 1 })
    })
  })

  it('a message whose record is lost blocks no mailbox, queued or claimed', async () => {
    await bed.within(async ({ mailboxes }) => {
      await mailboxes.create({ id: 'leased', by, leaseMs: 100 })
      await mailboxes.send('leased', { payload: 'lost', by })
      await mailboxes.claim('leased', mara)
    })
    tamper(`DELETE FROM record WHERE payload IN ('"five"', '"lost"')`)

    const mesh = await bed.open({ now: () => Date.now() + 1000 })
    const { mailboxes } = mesh.workspace(identity)
    for (const box of ['box', 'leased']) {
      await mailboxes.send(box, { payload: 'six', by })
      expect(await mailboxes.list(box, 'claimed')).toEqual([])
      expect(await mailboxes.claim(box, mara)).toMatchObject({ message: { payload: 'six' } })
      expect(await mailboxes.find(box)).toMatchObject({ queued: 0, claimed: 1 })
      expect(await mailboxes.claimsOf(box, mara)).toHaveLength(1)
    }
    await mesh.close()
  })

  it('a check names every damaged record, met or not, with its place', async () => {
    tamper(`UPDATE record SET payload = '{"half' WHERE payload IN ('"two"', '"five"')`)

    await bed.within(({ topics }) => topics.read('scene'))
    const { findings, facts } = await checked()

    expect(findings.map(({ text }) => text)).toEqual([
      "record 2 (topic 'scene', sequence 2) cannot be read",
      "record 5 (mailbox 'box', sequence 1) cannot be read",
      expect.stringMatching(/^record 2: row 2 of table record in .*mesh\.db' is damaged: /),
    ])
    expect(facts).toMatchObject({ topics: 1, mailboxes: 1, states: 1, records: 5, quarantined: 1 })
  })
})
