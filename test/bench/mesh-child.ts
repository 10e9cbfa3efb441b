/** A process of the bench: `mesh-child.ts <path> disk|claim|watch|idle <name>`; says `ready`, works once it reads a line. */
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { measureDisk } from './mesh-disk.ts'
import { by, identity } from './mesh-store.ts'

const CLAIM_MS = 2500
const IDLE_MS = 10_000
const SETTLING_MS = 1000
/** A watch alone holds no process alive. */
const ALIVE_MS = 60_000

const [path = '', work = '', name = ''] = process.argv.slice(2)
const mesh = openSqliteMesh({ path })
const workspace = mesh.workspace(identity)
const { mailboxes, topics } = workspace
process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
if (work === 'disk') await disk()
else if (work === 'claim') await claimAll()
else if (work === 'watch') await watch()
else await idle()
await mesh.close()

async function disk(): Promise<void> {
  await topics.create({ id: 'other', by })
  say(await measureDisk(dirname(path), { mesh, workspace, keys: 0, next: 0 }))
}

async function claimAll(): Promise<void> {
  const worker = { id: name, secret: `the secret of worker ${name}` }
  const start = performance.now()
  let claimed = 0
  let worstMs = 0
  while (performance.now() - start < CLAIM_MS) {
    const before = performance.now()
    const claim = await mailboxes.claim('mara', worker)
    worstMs = Math.max(worstMs, performance.now() - before)
    if (claim === undefined) throw new Error('the bench found nothing to claim')
    const outcome = { status: 'completed', result: 1 } as const
    await mailboxes.settle('mara', claim.message.id, { token: claim.token, outcome })
    claimed += 1
  }
  say({ claimed, worstMs })
}

async function watch(): Promise<void> {
  const alive = setTimeout(() => undefined, ALIVE_MS)
  const { signal } = new AbortController()
  const at: number[] = []
  process.stdout.write('watching\n')
  for await (const { payload } of topics.watch('scene', { after: 0, signal })) {
    if (payload === 'end') break
    at.push(performance.timeOrigin + performance.now())
  }
  clearTimeout(alive)
  say({ at })
}

async function idle(): Promise<void> {
  const stop = new AbortController()
  const watching = (async () => {
    for await (const _ of topics.watch('empty', { after: 0, signal: stop.signal })) break
  })()
  await pause(SETTLING_MS)
  const before = process.cpuUsage()
  const start = performance.now()
  await pause(IDLE_MS)
  const { user, system } = process.cpuUsage(before)
  say({ cpuPercent: (user + system) / 10 / (performance.now() - start) })
  stop.abort()
  await watching
}

function say(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
