/** How topics and mailboxes come to be and are found: a stream each, described in its metadata. */
import { randomUUID } from 'node:crypto'
import { MeshError } from '../error.ts'
import type { MailboxPlace, Place } from '../mesh.ts'
import { checkStream, streamConfig } from './fitness.ts'
import type { Link } from './link.ts'
import type { StreamName } from './names.ts'
import type { StreamInfo } from './wire.ts'

export type PlaceKind = 'topic' | 'mailbox'

export interface PlaceFacts {
  readonly id: string
  readonly label: string
  readonly by: string
  readonly createdAt: number
  readonly leaseMs?: number
  readonly maxAttempts?: number
}

/** Bumped when the meaning of what is stored changes. */
export const FORMAT = '1'

export interface PlacesOptions {
  readonly replicas: number
  readonly now: () => number
}

export class Places {
  readonly link: Link
  private readonly options: PlacesOptions
  /** Streams that were looked at and are fit. */
  private readonly fit = new Set<string>()

  constructor(link: Link, options: PlacesOptions) {
    this.link = link
    this.options = options
  }

  /** Fails with `already-exists`. */
  async create(kind: PlaceKind, name: StreamName, place: MailboxPlace): Promise<StreamInfo> {
    const made = await this.make(kind, name, place)
    if (made.own) return made.info
    const message = `${kind} '${place.id}' exists already`
    throw new MeshError('already-exists', message, { detail: { kind, id: place.id } })
  }

  async open(kind: PlaceKind, name: StreamName, place: MailboxPlace): Promise<StreamInfo> {
    return (await this.find(name)) ?? (await this.make(kind, name, place)).info
  }

  async find(name: StreamName): Promise<StreamInfo | undefined> {
    const info = await this.link.findInfo(name.stream)
    if (info !== undefined) this.check(info)
    return info
  }

  /** Fails with `not-found`. */
  async require(kind: PlaceKind, name: StreamName, id: string): Promise<StreamInfo> {
    const info = await this.find(name)
    if (info === undefined) throw notFound(kind, id)
    return info
  }

  /** Before the first use of a stream. */
  async checked(kind: PlaceKind, name: StreamName, id: string): Promise<void> {
    if (!this.fit.has(name.stream)) await this.require(kind, name, id)
  }

  isChecked({ stream }: StreamName): boolean {
    return this.fit.has(stream)
  }

  async openStates(name: StreamName, historyLimit: number): Promise<void> {
    if (this.fit.has(name.stream)) return
    const known = await this.find(name)
    if (known !== undefined) return
    const config = {
      ...streamConfig(name.stream, name.root, {
        replicas: this.options.replicas,
        metadata: { format: FORMAT },
      }),
      max_msgs_per_subject: historyLimit,
      discard: 'old',
    }
    this.check(await this.link.made(name.stream, config))
  }

  private async make(
    kind: PlaceKind,
    name: StreamName,
    place: MailboxPlace,
  ): Promise<{ readonly own: boolean; readonly info: StreamInfo }> {
    const nonce = randomUUID()
    const metadata = { ...describe(place, this.options.now()), kind, nonce, format: FORMAT }
    const config = streamConfig(name.stream, name.root, {
      replicas: this.options.replicas,
      metadata,
    })
    const info = await this.link.made(name.stream, config)
    this.check(info)
    return { own: info.config.metadata['nonce'] === nonce, info }
  }

  private check(info: StreamInfo): void {
    const { name, metadata } = info.config
    if (this.fit.has(name)) return
    const states = metadata['kind'] === undefined
    checkStream(info, this.options.replicas, states ? info.config.max_msgs_per_subject : -1)
    const format = metadata['format']
    if (format !== FORMAT) {
      const message = `stream '${name}' is of format ${format ?? 'unknown'}; this build reads ${FORMAT}`
      throw new MeshError('store-invalid', message, { detail: { stream: name, format } })
    }
    this.fit.add(name)
  }
}

export function notFound(kind: PlaceKind, id: string): MeshError {
  return new MeshError('not-found', `there is no ${kind} '${id}'`, { detail: { kind, id } })
}

function describe(place: Place & Pick<MailboxPlace, 'leaseMs' | 'maxAttempts'>, now: number) {
  const { id, label = id, by, leaseMs, maxAttempts } = place
  return {
    id,
    label,
    by,
    at: String(now),
    ...(leaseMs === undefined ? {} : { lease: String(leaseMs) }),
    ...(maxAttempts === undefined ? {} : { attempts: String(maxAttempts) }),
  }
}

export function factsOf({ config }: StreamInfo): PlaceFacts {
  const { id = '', label = id, by = '', at, lease, attempts } = config.metadata
  return {
    id,
    label,
    by,
    createdAt: Number(at),
    ...(lease === undefined ? {} : { leaseMs: Number(lease) }),
    ...(attempts === undefined ? {} : { maxAttempts: Number(attempts) }),
  }
}
