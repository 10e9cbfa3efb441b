/** Our sections, and what becomes of everybody's in an assembled prompt. */
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-code-runtime'
import type { ScopeKey } from '@deepseek-ai/dsh-scope'
import type { AssembleContext, AssembledSection } from '@deepseek-ai/dsh-system-prompt'
import { RUN_CODE_NAME } from '@deepseek-ai/dsh-tools'
import { memoryGuidance, workingGuidance } from './guidance.ts'
import { sdkText } from './sdk.ts'
import { isKept } from './sections.ts'
import { isVisible, toolRecords } from './tool-record.ts'

const SDK = 'tools:sdk'

export function registerSections(ctx: Context): void {
  const register = (name: string, order: number, text: (context: AssembleContext) => string) =>
    ctx.effect(() => ctx.systemPrompt.section({ name, order, text }), name)
  register('fabric:system-prompt', 10, ({ scope }) =>
    workingGuidance((tool) => isVisible(ctx, scope, tool)),
  )
  register('fabric:memory-guidance', 114, ({ scope }) =>
    isVisible(ctx, scope, 'session_search') ? memoryGuidance : '',
  )
}

/** Ours is the outermost listener, so that it sees what the others made of the prompt. */
export function shapeAssembly(ctx: Context): void {
  ctx.on(
    'system-prompt/assemble',
    async (_, { scope }, next) => {
      const assembly = await next()
      const kept = assembly.sections.filter(({ name }) => isKept(name))
      return { ...assembly, sections: kept.map((section) => disclosed(ctx, scope, section)) }
    },
    { prepend: true },
  )
}

/** Elsewhere than in code mode, and for programs in another language, the host's own text stands. */
function disclosed(
  ctx: Context,
  scope: ScopeKey | undefined,
  section: AssembledSection,
): AssembledSection {
  const isOurs =
    section.name === SDK &&
    section.text !== '' &&
    isVisible(ctx, scope, RUN_CODE_NAME) &&
    ctx.get('codeRuntime')?.language === 'typescript'
  return isOurs ? { ...section, text: sdkText(toolRecords(ctx, scope)) } : section
}
