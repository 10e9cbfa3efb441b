/** `tavern move`: gives a role of a scene to another host, from whichever machine. */
import type { Context } from '@deepseek-ai/cordis'
import { SceneError } from 'dsh-tavern-scene'

/** The line to print. Fails as `/move` at a seat does. */
export async function moveRole(
  ctx: Context,
  { scene, role, host }: { readonly scene: string; readonly role: string; readonly host: string },
): Promise<string> {
  const run = await ctx.scenes.findRun(scene)
  if (!run)
    throw new SceneError('nothing-to-resume', `scene '${scene}' was never played on this mesh`)
  const roles = await ctx.scenes.rolesOf(run)
  const { name } = await roles.move(role, host, 'tavern move')
  return `${role} is with ${name} now.`
}
