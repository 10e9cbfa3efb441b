/** The open file of a mesh: reads, grouped writes, and what every primitive needs from both. */
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonValue } from 'dsh-fabric-protocol'
import type { z } from 'zod'
import { MeshError } from '../error.ts'
import type { Write } from './batch.ts'
import { Changes } from './changes.ts'
import { isBusy, storeFailure } from './failure.ts'
import { Log } from './log.ts'
import { Names } from './names.ts'
import { Nudge } from './nudge.ts'
import { openDatabase } from './open-database.ts'
import { Places } from './places.ts'
import { Quarantine } from './quarantine.ts'
import { rollBack } from './roll-back.ts'
import { type Sql, prepareOnce } from './sql.ts'
import { Summaries } from './summary.ts'
import { Turns } from './turns.ts'
import { Ear, Wake } from './wake.ts'
import { Writer } from './writer.ts'

export interface StoreOptions {
  readonly path: string
  readonly payloadLimitBytes: number
  readonly historyLimit: number
  readonly patienceMs: number
  readonly now: () => number
}

/** A row as an operator finds it. */
export interface Where {
  readonly table: string
  readonly row: number
}

const READ_PAUSE_MS = 2

export class Store {
  readonly options: StoreOptions
  readonly sql: Sql
  readonly names: Names
  readonly places: Places
  readonly log: Log
  readonly changes: Changes
  readonly summaries: Summaries
  readonly quarantine: Quarantine
  private readonly database: DatabaseSync
  private readonly writer: Writer
  private readonly wake: Wake
  private readonly nudge: Nudge
  private readonly turns: Turns
  private version = 0
  private closing: Promise<void> | undefined

  constructor(options: StoreOptions) {
    const path = resolve(options.path)
    this.options = { ...options, path }
    this.database = openDatabase(path, options.patienceMs)
    this.sql = prepareOnce(this.database, () => this.log.tails.flush())
    this.names = new Names(this.sql)
    this.places = new Places(this.sql)
    this.log = new Log(this.sql)
    this.changes = new Changes(this.sql, this.log.tails)
    this.summaries = new Summaries(this.sql, this.changes)
    this.quarantine = new Quarantine({
      sql: this.sql,
      now: options.now,
      write: (run) => this.write(run),
    })
    this.nudge = new Nudge({
      changedElsewhere: () => this.changedElsewhere(),
      heard: () => this.wake.ringAll(),
    })
    this.wake = new Wake((watched) => this.watched(watched))
    this.turns = new Turns({ path, committed: () => this.nudge.look() })
    this.writer = new Writer({
      database: this.database,
      path,
      patienceMs: options.patienceMs,
      turns: this.turns,
      flush: () => this.log.tails.flush(),
      over: () => this.log.tails.forget(),
      rolledBack: () => this.forget(),
      committed: (touched) => this.wake.ring(touched),
    })
  }

  assertOpen(): void {
    if (this.closing === undefined) return
    const { path } = this.options
    throw new MeshError('closed', `the mesh store '${path}' is closed`, { detail: { path } })
  }

  /** Resolves once durable. */
  async write<T>(run: Write<T>): Promise<T> {
    this.assertOpen()
    return this.writer.submit(run)
  }

  /** All that `run` reads is of one moment. */
  async read<T>(run: () => T): Promise<T> {
    const until = performance.now() + this.options.patienceMs
    for (;;) {
      this.assertOpen()
      try {
        return this.readOnce(run)
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) {
          throw storeFailure(error, this.options.path)
        }
      }
      await pause(Math.random() * READ_PAUSE_MS)
    }
  }

  /**
   * Reads at once. Undefined while the store is busy, or while writes are pending: they take effect before whatever is
   * asked now.
   */
  glance<T>(run: () => T): T | undefined {
    this.assertOpen()
    if (this.writer.pending) return undefined
    try {
      return this.readOnce(run)
    } catch (error) {
      if (isBusy(error)) return undefined
      throw storeFailure(error, this.options.path)
    }
  }

  /** Hears of every commit to the place from now on, of any process. */
  listen(place: number, signal: AbortSignal): Ear {
    this.assertOpen()
    return new Ear(this.wake, place, signal)
  }

  /** The stored JSON; a damaged row fails alone and says where it is. */
  decode(text: string, where: Where): JsonValue {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives JSON and nothing else
      return JSON.parse(text) as JsonValue
    } catch (cause) {
      throw this.damaged('its JSON does not parse', where, cause)
    }
  }

  decodeWith<T>(schema: z.ZodType<T>, text: string, where: Where): T {
    const parsed = schema.safeParse(this.decode(text, where))
    if (parsed.success) return parsed.data
    throw this.damaged('it does not have the shape of its table', where, parsed.error)
  }

  damaged(found: string, where: Where, cause?: unknown): MeshError {
    const { path } = this.options
    const message = `row ${where.row} of table ${where.table} in '${path}' is damaged: ${found}`
    return new MeshError('store-invalid', message, { detail: { path, ...where }, cause })
  }

  close(): Promise<void> {
    this.closing ??= this.finish()
    return this.closing
  }

  private async finish(): Promise<void> {
    await this.writer.drained()
    this.nudge.watch(false)
    this.wake.ringAll()
    this.database.close()
    await this.turns.peers.close()
  }

  private readOnce<T>(run: () => T): T {
    this.database.exec('BEGIN')
    try {
      return run()
    } finally {
      rollBack(this.database)
    }
  }

  private forget(): void {
    this.log.tails.forget()
    this.names.forget()
    this.places.forget()
  }

  private watched(watched: boolean): void {
    if (this.closing !== undefined) return
    if (watched) this.turns.peers.join()
    if (watched) this.changedElsewhere() // from here on
    this.nudge.watch(watched)
  }

  private changedElsewhere(): boolean {
    const before = this.version
    try {
      const row = this.sql<{ data_version: number }>('PRAGMA data_version').get()
      this.version = row?.data_version ?? 0
    } catch {
      return true // busy: whoever hears it reads again, with patience
    }
    return this.version !== before
  }
}
