/**
 * Which sections of an assembled prompt stay. The rule: what one tool says of itself (`tool:<name>`) goes,
 * for its declaration or the roster says it; so go two of the host's own that our guidance holds in brief.
 * All else stays: the host's identity, source and surface, the persona, plan mode, `tools:code-only` and
 * `tools:sdk`, what is ours (`fabric:`), and whatever the user's configuration adds under its own names.
 * Instruction files and skills are messages, not sections; contexts and variables are not looked at.
 */

const TOOL_GUIDANCE = 'tool:'

/** Guidance of tools without which a feature of the host does not work. */
const KEPT_GUIDANCE: ReadonlySet<string> = new Set([
  'tool:cordis',
  'tool:report',
  'tool:session-query',
  'tool:structured_output',
])

/** Said in brief by `guidance.ts`. */
const SAID_BY_US: ReadonlySet<string> = new Set([
  'context:file-reference',
  'ui:deliverable-file-references',
])

export function isKept(section: string): boolean {
  if (KEPT_GUIDANCE.has(section)) return true
  return !section.startsWith(TOOL_GUIDANCE) && !SAID_BY_US.has(section)
}
