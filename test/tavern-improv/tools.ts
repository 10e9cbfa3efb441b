/** The tools of a character and of a narrator, as their schemas reach a model. */
import type { ToolSchema } from '@deepseek-ai/dsh-llm'

function tool(
  name: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
): ToolSchema {
  return {
    name,
    description: `${name}.`,
    parameters: {
      type: 'object',
      properties,
      required: [...required],
      additionalProperties: false,
    },
  }
}

const string = { type: 'string' }

export const worldGet = tool('world_get', { key: string }, ['key'])
export const worldSet = tool(
  'world_set',
  { key: string, value: {}, expected_version: { type: 'integer' } },
  ['key', 'value', 'expected_version'],
)
export const whisper = tool('whisper', { to: { type: 'array', items: string }, text: string }, [
  'to',
  'text',
])
export const leave = tool('leave', {}, [])
export const characterTools = [leave, whisper, worldGet, worldSet]

export const cueTool = tool('cue', { character: string, why: string }, ['character'])
export const narrate = tool('narrate', { text: string }, ['text'])
export const setScene = tool('set_scene', { place: string, time: string, mood: string }, [])
export const end = tool('end', {}, [])
export const narratorTools = [cueTool, end, narrate, setScene]

/** The same tool with a closed list for one property. */
export function listing(of: ToolSchema, property: string, values: readonly string[]): ToolSchema {
  const { properties } = of.parameters
  const isList = property === 'to'
  const listed = isList
    ? { type: 'array', items: { type: 'string', enum: values } }
    : { type: 'string', enum: values }
  return {
    ...of,
    parameters: { ...of.parameters, properties: { ...Object(properties), [property]: listed } },
  }
}
