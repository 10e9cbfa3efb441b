/**
 * The processes that have the same store open, each with a socket of its own and connected to all others: no hub, so no
 * death matters. What they say is one byte; what happened is in the store.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { type Server, type Socket, createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { leavePeerFolder, makePeerFolder, peerFolder } from './peer-folder.ts'

/** One byte each. */
export const signals = { committed: 1, waiting: 2, yours: 3 } as const
export type Signal = keyof typeof signals

const bytes = {
  committed: Buffer.from([signals.committed]),
  waiting: Buffer.from([signals.waiting]),
  yours: Buffer.from([signals.yours]),
}
const known = new Map<number, Signal>([
  [signals.committed, 'committed'],
  [signals.waiting, 'waiting'],
  [signals.yours, 'yours'],
])

/** Bytes that a peer has not taken: beyond, it is stopped, and would find the rest useless. */
const MOST_UNTAKEN = 64
/** A folder that the last one to leave removes while the next one enters: that one makes it again. */
const TRIES = 5
/** A socket that was not given its name for so long is of a process that died at birth. */
const NAMELESS_MS = 60_000
const CLOSE_MS = 500

export type Peer = Socket

export interface PeersHost {
  /** The path of the store. */
  readonly path: string
  met(peer: Peer): void
  heard(peer: Peer, signal: Signal): void
  left(peer: Peer): void
}

export class Peers {
  private readonly host: PeersHost
  private readonly all = new Set<Peer>()
  private readonly calling = new Set<Socket>()
  private joining: Promise<void> | undefined
  private server: Server | undefined
  private folder: string | undefined
  private name: string | undefined
  private closed = false

  constructor(host: PeersHost) {
    this.host = host
  }

  get count(): number {
    return this.all.size
  }

  /** From the first write or watch on; holds no process alive. What cannot be joined is done without. */
  join(): void {
    this.joining ??= this.enter().catch(() => this.leave())
  }

  send(peer: Peer, signal: Signal): void {
    if (peer.writableLength <= MOST_UNTAKEN) peer.write(bytes[signal])
  }

  broadcast(signal: Signal): void {
    for (const peer of this.all) this.send(peer, signal)
  }

  /** What was said before is said; nothing is left behind. */
  async close(): Promise<void> {
    this.closed = true
    if (this.joining === undefined) return
    await this.joining
    this.leave()
    const sockets = [...this.calling, ...this.all]
    await Promise.all(sockets.map(hangUp))
  }

  private async enter(): Promise<void> {
    const folder = peerFolder(this.host.path)
    if (folder === undefined) return
    this.folder = folder
    for (let tries = 1; ; tries += 1) {
      try {
        await this.listen(folder)
        break
      } catch (error) {
        if (tries === TRIES) throw error
      }
    }
    for (const name of readdirSync(folder)) this.meet(join(folder, name))
  }

  /** Gives the socket its name once it takes calls: a name that takes none is of the dead. */
  private async listen(folder: string): Promise<void> {
    makePeerFolder(folder)
    const name = `${process.pid}-${randomBytes(4).toString('hex')}`
    const nameless = join(folder, `${name}.new`)
    const server = createServer((socket) => this.add(socket))
    server.unref()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject)
    server.listen(nameless, resolve)
    await promise
    server.on('error', () => undefined) // an accept that failed: its caller hears it
    this.name = join(folder, `${name}.sock`)
    renameSync(nameless, this.name)
    this.server = server
  }

  private meet(path: string): void {
    if (path === this.name || this.closed) return
    if (!path.endsWith('.sock')) return removeNameless(path)
    const socket = createConnection(path)
    socket.unref()
    this.calling.add(socket)
    socket.once('connect', () => {
      this.calling.delete(socket)
      this.add(socket)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      this.calling.delete(socket)
      if (error.code === 'ECONNREFUSED') rmSync(path, { force: true })
    })
  }

  private add(peer: Peer): void {
    peer.unref()
    this.all.add(peer)
    peer.on('data', (data: Buffer) => {
      for (const byte of data) {
        const signal = known.get(byte)
        if (signal !== undefined) this.host.heard(peer, signal)
      }
    })
    peer.on('error', () => undefined) // `close` follows
    peer.once('close', () => {
      this.all.delete(peer)
      this.host.left(peer)
    })
    this.host.met(peer)
  }

  private leave(): void {
    this.server?.close()
    this.server = undefined
    if (this.name !== undefined) rmSync(this.name, { force: true })
    if (this.folder !== undefined) leavePeerFolder(this.folder)
  }
}

/** After what is written has been handed over; a call that nobody takes is not waited for long. */
async function hangUp(socket: Socket): Promise<void> {
  if (socket.closed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('close', () => resolve())
  socket.once('error', () => resolve())
  socket.ref()
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS)
  socket.resume()
  socket.end()
  if (!socket.connecting) socket.destroySoon()
  await promise
  clearTimeout(timer)
}

function removeNameless(path: string): void {
  try {
    if (Date.now() - statSync(path).mtimeMs > NAMELESS_MS) rmSync(path, { force: true })
  } catch {
    // It has its name now, or another removed it.
  }
}
