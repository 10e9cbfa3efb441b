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

/** A tool of one of these names stands before the way to the others, which is then closed. */
const WAY_TO_OTHERS: ReadonlySet<string> = new Set(['call', 'describe'])

/** The same tools give the same bytes. */
export function sdkText(tools: readonly ToolRecord[]): string {
  const isClosed = tools.some(({ name }) => WAY_TO_OTHERS.has(name))
  const isDeclared = ({ name }: ToolRecord) => isClosed || CORE_TOOLS.has(name)
  const declared = tools.filter(isDeclared)
  const others = tools.filter((tool) => !isDeclared(tool))
  const parts = [programGuidance, `\`\`\`ts\n${declarations(declared, others)}\n\`\`\``]
  if (others.length > 0) parts.push(rosterGuidance, roster(others))
  return plain(parts.join('\n\n'))
}

/** The host reads two braces as a reference to a prompt variable; in comments and strings, where alone they can stand, this is the same. */
function plain(text: string): string {
  return text.replaceAll('{{', String.raw`{\u007b`)
}
