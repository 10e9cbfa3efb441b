/** The index over restarts, kills, damage and several processes: never wrong, and never built anew without need. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Bed, codeOf, found, newFolder, openBed } from './bed.ts'

const indexOf = (home: string) => join(home, 'index', 'fabric.sqlite')

/** How often logs are read from now on. */
function reads(bed: Bed): () => number {
  const spy = vi.spyOn(bed.ctx.sessionPersistence, 'inspect')
  return () => spy.mock.calls.length
}

async function written(count: number, texts: readonly string[]): Promise<string> {
  const bed = await openBed()
  for (let index = 0; index < count; index += 1) await bed.stored(`s${index}`, texts)
  await bed.close()
  return bed.home
}

function searcher(home: string, times: number, query: string): ChildProcess {
  const program = join(import.meta.dirname, 'searcher.ts')
  const child = spawn(process.execPath, [program, home, String(times), query], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

async function printed(child: ChildProcess): Promise<readonly number[]> {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`searcher ended with ${String(code)}: ${text}`)
  return text.trim().split('\n').map(Number)
}

describe('after a restart', () => {
  it('no log is read again that did not change', async () => {
    const home = await written(5, ['她推开门走进沉钟酒馆'])
    const first = await openBed({ home })
    const readFirst = reads(first)
    expect(await found(first, '酒馆')).toHaveLength(5)
    expect(readFirst()).toBe(5)
    await first.close()

    const second = await openBed({ home })
    const readSecond = reads(second)
    expect(await found(second, '酒馆')).toHaveLength(5)
    expect(readSecond()).toBe(0)

    await second.stored('new', ['酒馆'])
    expect(await found(second, '酒馆')).toHaveLength(6)
    expect(readSecond()).toBe(1)
  })

  it('a log that grew keeps the documents it had', async () => {
    const home = await written(1, ['酒馆', '地图'])
    const bed = await openBed({ home })
    await found(bed, '酒馆')
    const before = documents(home)
    const { events } = await bed.ctx.sessionPersistence.inspect(SessionId('s0'))
    await bed.ctx.sessionPersistence.append(SessionId('s0'), [
      { ...nth(events, 0), seq: events.length, time: 1 },
    ])

    expect(await found(bed, '地图')).toEqual(['s0'])

    const after = documents(home)
    expect(after.slice(0, 2)).toEqual(before)
    expect(after).toHaveLength(3)
  })
})

describe('killed while it indexes', () => {
  it('what is in the file is whole, and the next search goes on from there', async () => {
    const sessions = 60
    const texts = Array.from(
      { length: 20 },
      (_none, index) => `酒馆 地图 ${index} ${'字'.repeat(200)}`,
    )
    const home = await written(sessions, texts)
    const child = searcher(home, 1, '酒馆')
    await until(() => storedSessions(home) > 10)
    child.kill('SIGKILL')
    await once(child, 'close')

    const reached = storedSessions(home)
    expect(reached).toBeLessThan(sessions)
    expect(counts(home)).toEqual(Array.from({ length: reached }, () => texts.length))
    const bed = await openBed({ home })
    const read = reads(bed)
    expect(await found(bed, '酒馆')).toHaveLength(sessions)
    expect(read()).toBe(sessions - reached)
    expect(counts(home)).toEqual(Array.from({ length: sessions }, () => texts.length))
    assertSound(home)
  })
})

describe('several processes on one file', () => {
  it('all find all, and what one indexed no other reads', async () => {
    const home = await written(20, ['酒馆'])
    const bed = await openBed({ home })
    const children = [1, 2, 3].map(() => printed(searcher(home, 8, '酒馆')))
    for (let index = 0; index < 10; index += 1) {
      await bed.stored(`more${index}`, ['酒馆'])
      expect(await found(bed, '酒馆')).toHaveLength(21 + index)
    }

    for (const counted of await Promise.all(children)) {
      expect(counted).toHaveLength(8)
      expect(counted).toEqual(counted.toSorted((left, right) => left - right))
      expect(counted[0]).toBeGreaterThanOrEqual(20)
    }
    const read = reads(bed)
    expect(await printed(searcher(home, 1, '酒馆'))).toEqual([30])
    expect(await found(bed, '酒馆')).toHaveLength(30)
    expect(read()).toBe(0)
    assertSound(home)
  })

  it('a live session of one is found by the others as far as it is written', async () => {
    const home = await written(1, ['酒馆'])
    const bed = await openBed({ home })
    const live = await bed.session('live', ['酒馆'])
    await bed.ctx.sessions.flush(live.session)

    expect(await printed(searcher(home, 1, '酒馆'))).toEqual([2])
    expect(await found(bed, '酒馆')).toHaveLength(2)
    live.say('地图')
    expect(await found(bed, '地图')).toEqual(['live'])
  })
})

describe('a damaged index', () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'garbage from its start': (file) => overwrite(file, 0, 4_096),
    'garbage in its middle': (file) => overwrite(file, 8_192, 40_960),
    'cut short': (file) => truncateSync(file, 6_000),
    emptied: (file) => truncateSync(file, 0),
    'of another version': (file) =>
      change(file, 'PRAGMA user_version = 99; DROP TABLE stored_sessions'),
    'without a table': (file) => change(file, 'DROP TABLE stored_documents'),
    gone: (file) => rmSync(file),
  }

  it.each(Object.keys(damages))('%s is built anew', async (name) => {
    const home = await written(20, ['她推开门走进沉钟酒馆', 'hello world', '地图'])
    const first = await openBed({ home })
    await found(first, '酒馆')
    await first.close()

    damages[name]?.(indexOf(home))

    const second = await openBed({ home })
    expect(await found(second, '酒馆')).toHaveLength(20)
    expect(await found(second, 'hello')).toHaveLength(20)
    assertSound(home)
  })

  it('is also built anew under a service that has it open', async () => {
    const home = await written(20, ['她推开门走进沉钟酒馆', 'hello world', '地图'])
    const bed = await openBed({ home, config: { journalMode: 'delete' } })
    await found(bed, '酒馆')
    overwrite(indexOf(home), 0, 200_000)

    await bed.stored('new', ['酒馆'])

    expect(await found(bed, '酒馆')).toHaveLength(21)
    assertSound(home)
  })

  it('is followed to its new file when another process put it aside', async () => {
    const home = await written(3, ['酒馆'])
    const bed = await openBed({ home })
    await found(bed, '酒馆')
    for (const suffix of ['', '-wal', '-shm']) {
      const file = indexOf(home) + suffix
      if (existsSync(file)) renameSync(file, `${file}.aside`)
    }
    expect(await printed(searcher(home, 1, '酒馆'))).toEqual([3])

    await bed.stored('new', ['酒馆'])

    expect(await found(bed, '酒馆')).toHaveLength(4)
    expect(await printed(searcher(home, 1, '酒馆'))).toEqual([4])
  })
})

describe('a file that is no index', () => {
  it.each([
    ['a text', (file: string) => writeFileSync(file, 'my diary\n'.repeat(500))],
    ['another database', (file: string) => change(file, 'CREATE TABLE diary (day TEXT)')],
    ['another application', (file: string) => change(file, 'PRAGMA application_id = 7')],
  ])('%s is refused and left as it is', async (_name, make) => {
    const home = newFolder()
    mkdirSync(join(home, 'index'))
    make(indexOf(home))
    const before = readFileSync(indexOf(home))
    const bed = await openBed({ home })

    expect(await codeOf(found(bed, '酒馆'))).toBe('SESSION_QUERY_INDEX_FAILED')
    expect(await codeOf(found(bed, '酒馆'))).toBe('SESSION_QUERY_INDEX_FAILED')
    expect(readFileSync(indexOf(home))).toEqual(before)
  })
})

describe('a log that cannot be read', () => {
  it('does not hide the others, and says so when it is asked for', async () => {
    const home = await written(3, ['酒馆'])
    const bed = await openBed({ home })
    const log = join(home, 'sessions', '--inn--', 's1')
    const persistence = bed.ctx.sessionPersistence
    const inspect = persistence.inspect.bind(persistence)
    const spy = vi
      .spyOn(bed.ctx.sessionPersistence, 'inspect')
      .mockImplementation(async (id, signal) => {
        if (id === 's1')
          throw Object.assign(new Error(log), { name: 'SessionPersistenceCorruptionError' })
        return await inspect(id, signal)
      })

    expect((await found(bed, '酒馆')).toSorted()).toEqual(['s0', 's2'])
    expect(await found(bed, '酒馆')).toHaveLength(2)
    const within = bed.query.searchEvents({ sessionId: SessionId('s1'), query: '酒馆' })
    expect(await codeOf(within)).toBe('SESSION_QUERY_CORRUPT_SESSION')
    expect(spy).toHaveBeenCalledTimes(3)
  })

  it('for now only, is asked for again', async () => {
    const home = await written(1, ['酒馆'])
    const bed = await openBed({ home })
    vi.spyOn(bed.ctx.sessionPersistence, 'inspect').mockRejectedValueOnce(new Error('EIO'))

    expect(await codeOf(found(bed, '酒馆'))).toBe('SESSION_QUERY_PERSISTENCE_FAILED')
    expect(await found(bed, '酒馆')).toEqual(['s0'])
  })
})

function nth<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`no item ${index}`)
  return item
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(2)
}

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

function overwrite(file: string, from: number, bytes: number): void {
  const length = Math.min(bytes, Math.max(0, readFileSync(file).length - from))
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, from)
}

function storedSessions(home: string): number {
  if (!existsSync(indexOf(home))) return 0
  const db = new DatabaseSync(indexOf(home), { readOnly: true })
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM stored_sessions').get()?.['n'])
  } catch {
    // Not made yet, or being made.
    return 0
  } finally {
    db.close()
  }
}

/** Documents of each session in the file, each with its terms. */
function counts(home: string): readonly number[] {
  const db = new DatabaseSync(indexOf(home))
  const rows = db
    .prepare(
      `SELECT count(t.rowid) AS n FROM stored_sessions AS s
        LEFT JOIN stored_documents AS d ON d.session = s.number
        LEFT JOIN stored_terms AS t ON t.rowid = d.id
      GROUP BY s.number`,
    )
    .all()
  db.close()
  return rows.map(({ n }) => Number(n))
}

function documents(home: string): readonly object[] {
  const db = new DatabaseSync(indexOf(home))
  const rows = db.prepare('SELECT id, seq, text FROM stored_documents ORDER BY seq').all()
  db.close()
  return rows
}

function assertSound(home: string): void {
  const db = new DatabaseSync(indexOf(home))
  const [row] = db.prepare('PRAGMA integrity_check').all()
  db.exec("INSERT INTO stored_terms (stored_terms) VALUES ('integrity-check')")
  db.close()
  expect(row).toEqual({ integrity_check: 'ok' })
}
