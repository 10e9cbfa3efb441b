/** What the checked programs of these specs are bound to. */
import type {
  CodeMember,
  JsonSchema,
  MemberContract,
} from '../../packages/dsh-fabric-code-runtime-quickjs/src/index.ts'
import { declare } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/declare.ts'

export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

const call = (): Promise<null> => Promise.resolve(null)

export function member(contract?: MemberContract): CodeMember {
  return contract === undefined ? { call } : { call, contract }
}

const text = { type: 'string' }
const entry = object({ name: text, size: { type: 'integer' } }, ['name', 'size'])

export const tools: ReadonlyMap<string, CodeMember> = new Map([
  [
    'read',
    member({
      parameters: object({ path: text, limit: { type: 'integer' } }, ['path']),
      output: object({ text, lines: { type: 'integer' } }, ['text', 'lines']),
    }),
  ],
  ['list', member({ parameters: object({ path: text }), output: { type: 'array', items: entry } })],
  [
    'write',
    member({ parameters: object({ path: text, content: text }, ['path', 'content']), output: {} }),
  ],
  [
    'search',
    member({
      parameters: object(
        { query: text, mode: { type: 'string', enum: ['word', 'exact'] }, where: {} },
        ['query'],
      ),
      output: { type: 'object', properties: { hits: { type: 'array' } }, required: ['hits'] },
    }),
  ],
  ['fetch', member()],
  ['my-tool', member()],
])

export const declarations = declare({
  namespaces: [
    {
      global: 'tools',
      members: tools,
      errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' },
    },
  ],
  constants: { settings: { value: { depth: 3, names: ['mara', 'ivo'] } } },
})
