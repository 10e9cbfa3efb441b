/** What the host's tool registry knows of the tools that one agent sees. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { RUN_CODE_NAME, type ToolRuntime } from '@deepseek-ai/dsh-tools'
import type { JsonSchema } from 'dsh-fabric-code-runtime-quickjs'

export interface ToolContract {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly output: JsonSchema
}

export type ToolContracts = ReadonlyMap<string, ToolContract>

/** `run_code` itself is none of them: a program cannot call it. */
export function toolContracts(tools: ToolRuntime, agent: Agent): ToolContracts {
  const contracts = new Map<string, ToolContract>()
  for (const { name, description, parameters } of tools.schemas(agent)) {
    if (name === RUN_CODE_NAME) continue
    const output: JsonSchema = { ...tools.get(name, agent)?.output.schema }
    contracts.set(name, { name, description, parameters, output })
  }
  return contracts
}
