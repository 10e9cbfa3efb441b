/** Plays a scene to a number of beats, and kills itself at a named point: started by the crash spec as a process of its own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { boot, traceRequests } from 'dsh-tavern-cli'
import { type ChildRequest, childRequest } from './child-request.ts'

await playChild(childRequest.parse(JSON.parse(process.argv[2] ?? '')))

async function playChild(request: ChildRequest): Promise<void> {
  const ctx = await boot({
    home: request.home,
    pace: request.pace,
    toolUse: 1,
    ...(request.hostId ? sharedBy(request.home, request.hostId) : {}),
  })
  traceRequests(ctx, request.trace)
  if (request.kill) dieAt(ctx, request.kill)
  const { scene: id, beats, seed } = request
  const scene = await ctx.scenes.open(id, { seed, limits: { beats } })
  process.stdout.write('open\n')
  await scene.idle()
  await scene.auto(beats - scene.run.stage.beats)
  await ctx.scenes.leave()
  await ctx.fiber.dispose()
}

/** Ids of lines, and so what is said, are made of the host's id too. */
function sharedBy(home: string, hostId: string) {
  const folder = join(home, 'tavern')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'host.id'), hostId)
  return { mesh: { kind: 'sqlite', path: join(folder, 'mesh.sqlite') }, leaseMs: 1000 } as const
}

function dieAt(ctx: Context, { point, count }: NonNullable<ChildRequest['kill']>): void {
  let left = count
  ctx.on(point, () => {
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  })
}
