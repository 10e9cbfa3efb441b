/** `tools.describe` and `tools.call`: a run's own contracts, for a program that knows a tool by its name only. */
import { jsonSchemaToTs } from '@deepseek-ai/dsh-tools'
import type { CodeMember, JsonValue } from 'dsh-fabric-code-runtime-quickjs'
import { z } from 'zod'
import { nearestNames } from './nearest-names.ts'
import type { ToolContract, ToolContracts } from './tool-contracts.ts'

const describeContract = {
  description: 'What one tool takes and gives, by its exact name.',
  parameters: { type: 'string' },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'description', 'parameters', 'output', 'typescript'],
    properties: {
      name: { type: 'string' },
      description: { type: 'string' },
      parameters: {},
      output: {},
      typescript: { type: 'string' },
    },
  },
} as const

const callContract = {
  description: 'Calls one tool by its exact name, as `tools.name(args)` does.',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: { name: { type: 'string' }, args: { type: 'object' } },
  },
} as const

const callArgument = z.strictObject({
  name: z.string(),
  args: z.record(z.string(), z.json()).default({}),
})

/** Both, unless a bound tool has that name: then it is the tool that is called. */
export function contractTools(
  contracts: ToolContracts,
  bound: ReadonlyMap<string, CodeMember>,
): ReadonlyMap<string, CodeMember> {
  const members: readonly (readonly [string, CodeMember])[] = [
    ['describe', { call: async (name) => described(contracts, name), contract: describeContract }],
    [
      'call',
      { call: (argument, signal) => dispatched(bound, argument, signal), contract: callContract },
    ],
  ]
  return new Map(members.filter(([name]) => !bound.has(name)))
}

function described(contracts: ToolContracts, name: JsonValue | undefined): JsonValue {
  if (typeof name !== 'string') throw new Error("tools.describe takes a tool's name")
  const contract = contracts.get(name)
  if (contract === undefined) throw unknownTool(name, contracts.keys())
  const { description, parameters, output } = contract
  const schemas = z.object({ parameters: z.json(), output: z.json() }).parse({ parameters, output })
  return { name, description, ...schemas, typescript: typescriptOf(contract) }
}

async function dispatched(
  bound: ReadonlyMap<string, CodeMember>,
  argument: JsonValue | undefined,
  signal: AbortSignal,
): Promise<JsonValue | undefined> {
  const parsed = callArgument.safeParse(argument)
  if (!parsed.success) throw new Error('tools.call takes { name, args }')
  const { name, args } = parsed.data
  const member = bound.get(name)
  if (member === undefined) throw unknownTool(name, bound.keys())
  return await member.call(args, signal)
}

function typescriptOf({ name, parameters, output }: ToolContract): string {
  return `tools[${JSON.stringify(name)}]: (args: ${jsonSchemaToTs(parameters)}) => Promise<${jsonSchemaToTs(output)}>`
}

function unknownTool(name: string, names: Iterable<string>): Error {
  const near = nearestNames(name, names)
  const hint = near.length > 0 ? `; nearest: ${near.join(', ')}` : ''
  return new Error(`no tool is named ${JSON.stringify(name.slice(0, 64))}${hint}`)
}
