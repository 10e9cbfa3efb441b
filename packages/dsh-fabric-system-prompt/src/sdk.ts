/** The text of `tools:sdk`: how to write programs, full types of the core tools, the names of the others. */
import { declarations } from './declarations.ts'
import { programGuidance, rosterGuidance } from './guidance.ts'
import { roster } from './roster.ts'
import type { ToolRecord } from './tool-record.ts'

const CORE_TOOLS: ReadonlySet<string> = new Set([
  'ask_user_question',
  'bash',
  'edit',
  'exit_plan_mode',
  'fabric_mesh',
  'glob',
  'grep',
  'job_kill',
  'job_list',
  'job_output',
  'read',
  'write',
])

/** The same tools give the same bytes. */
export function sdkText(tools: readonly ToolRecord[]): string {
  const core = tools.filter(({ name }) => CORE_TOOLS.has(name))
  const others = tools.filter(({ name }) => !CORE_TOOLS.has(name))
  const parts = [programGuidance, `\`\`\`ts\n${declarations(core)}\n\`\`\``]
  if (others.length > 0) parts.push(rosterGuidance, roster(others))
  return plain(parts.join('\n\n'))
}

/** The host reads two braces as a reference to a prompt variable; in comments and strings, where alone they can stand, this is the same. */
function plain(text: string): string {
  return text.replaceAll('{{', String.raw`{\u007b`)
}
