/** Who hosts what in a run: each role is one record, changed by compare-and-swap alone; this process keeps to it. */
import { MeshError, type Worker } from 'dsh-fabric-mesh'
import { asJson, type ClaimedMessage } from 'dsh-fabric-protocol'
import type { RunCast } from 'dsh-tavern-cast'
import type { Narrator } from 'dsh-tavern-narrator'
import { narratorId } from 'dsh-tavern-protocol'
import { z } from 'zod'
import { SceneError } from './error.ts'
import type { HostIdentity } from './host-identity.ts'
import type { HostStatus, SceneHosts } from './presence.ts'
import { workerOf } from './worker.ts'

/** A character's id, or `narrator`. */
export type Role = string

const roleRecord = z.object({ host: z.string(), name: z.string(), since: z.number() }).readonly()
export type RoleRecord = z.infer<typeof roleRecord>

export interface HostedRole extends RoleRecord {
  readonly role: Role
  readonly status: HostStatus
}

export interface RolesOptions {
  readonly cast: RunCast
  readonly narrator: Narrator
  readonly presence: SceneHosts
  /** The names under which this home may hold claims. */
  readonly workers: readonly Worker[]
}

export class Roles {
  readonly #options: RolesOptions
  /** Starts and stops follow one another, role by role or not. */
  #keeping: Promise<void> = Promise.resolve()
  #isHosting = false

  constructor(options: RolesOptions) {
    this.#options = options
  }

  /** Every role of the scene: the narrator's first. */
  get all(): readonly Role[] {
    return [narratorId, ...this.#options.cast.run.scene.cast.map(({ character }) => character)]
  }

  find(role: Role): RoleRecord | undefined {
    const record = this.#options.cast.run.company.find(`host/${role}`)
    const read = record && roleRecord.safeParse(record.value)
    return read?.success ? read.data : undefined
  }

  /** Those that somebody hosts. */
  get hosted(): readonly HostedRole[] {
    const { presence } = this.#options
    return this.all.flatMap((role) => {
      const record = this.find(role)
      return record ? [{ role, ...record, status: presence.statusOf(record.host) }] : []
    })
  }

  /** Resolves once it can be told of each host whether it is there: at most their leases long. */
  async known(signal?: AbortSignal): Promise<void> {
    await this.#options.presence.known(
      this.hosted.map(({ host }) => host),
      signal,
    )
  }

  isMine(role: Role): boolean {
    return this.find(role)?.host === this.#self.id
  }

  /** Makes this process, or who wants it, the host of roles that nobody has; the others stay with whom they are. */
  async claim(roles: readonly Role[], hostOf: (role: Role) => HostIdentity): Promise<void> {
    for (const role of roles) {
      if (!this.find(role)) await this.#write(role, hostOf(role))
    }
  }

  /** Performs what is assigned to this process from now on, and no more what is not. */
  async keep(): Promise<void> {
    this.#isHosting = true
    for (const role of this.all) await this.changed(role)
  }

  /** To be told of a role's record that changed. */
  async changed(role: Role): Promise<void> {
    const keeping = this.#keeping.then(() => this.#keep(role))
    this.#keeping = keeping.catch(() => {}) // who asked is told
    await keeping
  }

  /**
   * Gives a role to another host, which must be here, unless the one that has it is: then takes back
   * what that one had claimed. Repeated, it finishes a move that was cut off. Fails with
   * `unknown-host`, `host-away`, `host-present`.
   */
  async move(role: Role, to: string, by: string): Promise<RoleRecord> {
    if (!this.all.includes(role)) {
      throw new SceneError('unknown-character', `no role '${role}' (roles: ${this.all.join(', ')})`)
    }
    await this.#options.presence.look() // it may have come just now
    const target = this.#hostNamed(to)
    const current = this.find(role)
    if (current?.host !== target.id) await this.#assign(role, target, current)
    await this.changed(role) // it may have been ours
    await this.#release(role, target, `${role} was moved to ${target.name} by ${by}`)
    return this.find(role) ?? { host: target.id, name: target.name, since: Date.now() }
  }

  async #assign(role: Role, target: HostIdentity, current: RoleRecord | undefined): Promise<void> {
    const { presence } = this.#options
    await presence.known([target.id, ...(current ? [current.host] : [])])
    this.#requireHere(target)
    const isOthers = current !== undefined && current.host !== this.#self.id
    if (isOthers && presence.statusOf(current.host) === 'here') {
      throw new SceneError(
        'host-present',
        `'${role}' is with ${current.name}, which is here: a role is moved from a host that is away, or that has been stopped`,
      )
    }
    if (await this.#write(role, target)) return
    // two that move it to one host agree
    if (this.find(role)?.host === target.id) return
    throw new SceneError('host-present', `'${role}' was moved by someone else meanwhile`)
  }

  async #keep(role: Role): Promise<void> {
    if (!this.#isHosting) return
    const { cast, narrator } = this.#options
    if (role === narratorId) {
      if (this.isMine(role)) return narrator.start()
      await narrator.stop()
      return await this.#giveBack(role)
    }
    if (!this.isMine(role)) {
      await cast.unhost(role)
      return await this.#giveBack(role)
    }
    await cast.findCard(role) // it may have come with the role
    if (cast.hasCard(role)) await cast.publishProfile(role)
    cast.host(role)
  }

  #hostNamed(to: string): HostIdentity {
    const { presence } = this.#options
    const known = presence.hosts
    const found = known.filter(({ id, name }) => id === to || name === to)
    const [host, ...more] = found
    if (!host) {
      const names = known.map(({ name }) => name).join(', ')
      throw new SceneError('unknown-host', `no host '${to}' (hosts: ${names || 'none'})`)
    }
    // one name, several homes: whoever is here is meant
    const here = found.filter(({ id }) => presence.statusOf(id) === 'here')
    if (more.length === 0) return host
    if (here.length === 1 && here[0]) return here[0]
    const ids = found.map(({ id }) => id).join(' or ')
    throw new SceneError('unknown-host', `'${to}' may be ${ids}: say which`)
  }

  #requireHere({ id, name }: HostIdentity): void {
    if (this.#options.presence.statusOf(id) === 'here') return
    throw new SceneError('host-away', `${name} is away: it could not host anyone`)
  }

  /** False when the record was changed by another meanwhile. */
  async #write(role: Role, { id, name }: HostIdentity): Promise<boolean> {
    const record = { host: id, name, since: Date.now() }
    const { company } = this.#options.cast.run
    return await company.swap(`host/${role}`, asJson(record), this.#self.id)
  }

  /** Whatever anyone else than the new host had claimed is queued again; the old tokens are void. */
  async #release(role: Role, { id }: HostIdentity, reason: string): Promise<void> {
    const box = this.#mailboxOf(role)
    const { mailboxes } = this.#options.cast.run.workspace
    for (const message of await mailboxes.list(box, 'claimed', { limit: 500 })) {
      if (message.status !== 'claimed' || message.claimedBy === workerOf(id)) continue
      await this.#takeBack(box, message, reason)
    }
  }

  /** What this process claimed before it heard that the role is another's is queued for that one. */
  async #giveBack(role: Role): Promise<void> {
    const box = this.#mailboxOf(role)
    const { mailboxes } = this.#options.cast.run.workspace
    const reason = `${role} is with ${this.find(role)?.name ?? 'nobody'} now`
    for (const worker of this.#options.workers) {
      for (const { message } of await mailboxes.claimsOf(box, worker)) {
        await this.#takeBack(box, message, reason)
      }
    }
  }

  /** Ends this one claim; what became of the message since is left as it is. */
  async #takeBack(box: string, claimed: ClaimedMessage, reason: string): Promise<void> {
    const { mailboxes } = this.#options.cast.run.workspace
    const now = await mailboxes.findMessage(box, claimed.id)
    if (now?.status !== 'claimed' || now.attempts !== claimed.attempts) return
    const releasing = mailboxes.release(box, claimed.id, { by: this.#self.id, reason })
    await releasing.catch((error: unknown) => {
      // settled meanwhile: nothing is left to take back
      if (!(error instanceof MeshError) || error.code !== 'not-claimed') throw error
    })
  }

  #mailboxOf(role: Role): string {
    const { run } = this.#options.cast
    return role === narratorId ? run.narratorMailbox : run.mailboxOf(role)
  }

  get #self(): HostIdentity {
    return this.#options.presence.self
  }
}
