/** The row of a preset that gives its agents a prompt of our own, tools by name, and hints of the fitting ones. */
import type { Context } from '@deepseek-ai/cordis'
import { scopeOf } from '@deepseek-ai/dsh-scope'
import { registerAdvisory } from './advisory/listener.ts'
import { registerSections, shapeAssembly } from './assembly.ts'
import { SystemPromptError } from './error.ts'

export { SystemPromptError, type SystemPromptErrorCode } from './error.ts'

export const name = 'fabric-system-prompt'
export const inject = ['tools', 'systemPrompt']

export function apply(ctx: Context): void {
  if (scopeOf(ctx) === undefined) {
    throw new SystemPromptError('no-scope', `${name} is a row of a preset, not of the host`)
  }
  registerSections(ctx)
  shapeAssembly(ctx)
  registerAdvisory(ctx)
}
