/** The tool in the prompt: a section of guidance, and a context of what the mesh holds; neither where the tool is not. */
import type { Context } from '@deepseek-ai/cordis'
import type { AssembleContext, PromptAssembly } from '@deepseek-ai/dsh-system-prompt'
import { contextText, CONTEXT_RECORDS } from './context.ts'
import { MeshToolError } from './error.ts'
import { guidance } from './guidance.ts'
import { TOOL } from './name.ts'
import { reachOf } from './reach.ts'

const STATE = 'fabric:mesh-state'
const VARIABLE = 'fabric_mesh_state'
const ORDER = 120

export function registerPrompt(ctx: Context): void {
  const whenVisible = (text: string) => (context: AssembleContext) =>
    isVisible(ctx, context) ? text : ''
  ctx.effect(
    () =>
      ctx.systemPrompt.section({
        name: 'fabric:mesh-guidance',
        order: ORDER,
        text: whenVisible(guidance),
      }),
    'fabric-mesh.guidance',
  )
  ctx.effect(
    () =>
      ctx.systemPrompt.context({
        name: STATE,
        order: ORDER,
        text: whenVisible(`{{${VARIABLE}}}`),
      }),
    'fabric-mesh.state',
  )
  // so that the context is empty, and no fault, when another listener keeps ours from being asked
  ctx.effect(() => ctx.systemPrompt.variable(VARIABLE, () => ''), 'fabric-mesh.variable')
  ctx.on('system-prompt/assemble', async (assembly, context, next) => {
    await fill(ctx, assembly, context)
    return await next()
  })
}

function isVisible(ctx: Context, { scope, agent }: AssembleContext): boolean {
  return agent !== undefined && ctx.tools.get(TOOL, scope) !== undefined
}

/** The mesh is asked once a request, and only for a context that is sent. Its text is a value, so nothing in it is a template. */
async function fill(
  ctx: Context,
  { contexts, variables }: PromptAssembly,
  { agent }: AssembleContext,
): Promise<void> {
  const isAsked = contexts.some(({ name, text }) => name === STATE && text !== '')
  if (!isAsked || agent === undefined || variables[VARIABLE] !== '') return
  variables[VARIABLE] = await stateText(ctx, agent)
}

type PromptAgent = NonNullable<AssembleContext['agent']>

/** A mesh that cannot be read now is no reason not to speak: the tool will say what is wrong. */
async function stateText(ctx: Context, agent: PromptAgent): Promise<string> {
  try {
    return contextText(await reachOf(ctx, agent).snapshot(CONTEXT_RECORDS))
  } catch (error) {
    if (!(error instanceof MeshToolError)) {
      ctx.logger('fabric-mesh').warn(`no mesh in the prompt of ${agent.id}: ${String(error)}`)
    }
    return ''
  }
}
