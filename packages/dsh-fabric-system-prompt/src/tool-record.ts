/** What the tool registry records of the tools that one agent sees. */
import type { Context } from '@deepseek-ai/cordis'
import type { ScopeKey } from '@deepseek-ai/dsh-scope'
import { type JsonSchemaNode, RUN_CODE_NAME } from '@deepseek-ai/dsh-tools'

export interface ToolRecord {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly output: JsonSchemaNode
}

/** All but the transport of programs, by name. */
export function toolRecords(ctx: Context, scope: ScopeKey | undefined): readonly ToolRecord[] {
  return ctx.tools
    .schemas(scope)
    .filter(({ name }) => name !== RUN_CODE_NAME)
    .map((schema) => ({
      ...schema,
      output: ctx.tools.get(schema.name, scope)?.output.schema ?? {},
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export function isVisible(ctx: Context, scope: ScopeKey | undefined, tool: string): boolean {
  return ctx.tools.get(tool, scope) !== undefined
}
