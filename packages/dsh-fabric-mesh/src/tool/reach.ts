/** The mesh of an agent: one rule for the prompt and for the tool. */
import { realpathSync } from 'node:fs'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-workspace'
import type { MeshReach } from '../access.ts'
import type {} from '../index.ts'
import { workspaceIdentity } from '../workspace-identity.ts'
import { MeshToolError } from './error.ts'

/** Fails with `forbidden` for an agent that reaches nothing. */
export function reachOf(ctx: Context, agent: Agent): MeshReach {
  const { id: sessionId, header } = agent.session
  const access = ctx.bail('mesh/access', { sessionId })
  if (access?.kind === 'restricted') return access.reach
  if (access?.kind === 'refused') {
    throw new MeshToolError({ code: 'forbidden', message: access.reason })
  }
  const identity = workspaceIdentity({
    sessionId,
    cwd: header.cwd,
    workspaces: ctx.get('workspaceRegistry')?.list() ?? [],
    realpath: realpathSync,
  })
  return ctx.mesh.workspace(identity)
}
