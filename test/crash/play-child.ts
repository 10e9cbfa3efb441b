/** Plays a scene to a number of beats, and kills itself at a named point: started by the crash spec as a process of its own. */
import type { Context } from '@deepseek-ai/cordis'
import { boot, traceRequests } from 'dsh-tavern-cli'
import { type ChildRequest, childRequest } from './child-request.ts'

await playChild(childRequest.parse(JSON.parse(process.argv[2] ?? '')))

async function playChild(request: ChildRequest): Promise<void> {
  const ctx = await boot({ home: request.home, pace: request.pace, toolUse: 1 })
  traceRequests(ctx, request.trace)
  if (request.kill) dieAt(ctx, request.kill)
  const { scene: id, beats, seed } = request
  const scene = await ctx.scenes.open(id, { seed, limits: { beats } })
  process.stdout.write('open\n')
  await scene.idle()
  await scene.auto(beats - scene.run.stage.beats)
  await scene.close()
  await ctx.fiber.dispose()
}

function dieAt(ctx: Context, { point, count }: NonNullable<ChildRequest['kill']>): void {
  let left = count
  ctx.on(point, () => {
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  })
}
