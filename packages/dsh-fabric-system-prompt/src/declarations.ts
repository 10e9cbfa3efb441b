/** TypeScript declarations of the tools whose types stand in the prompt, and of the way to the others. */
import { jsonSchemaToTs } from '@deepseek-ai/dsh-tools'
import type { ToolRecord } from './tool-record.ts'

const preamble = `type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

declare class ToolCallError extends Error {
  readonly name: "ToolCallError";
  readonly toolName: string;
}`

const disclosure = `  /** The whole declaration of any tool, by its name. */
  describe(name: string): Promise<{ name: string; description: string; parameters: JsonValue; output: JsonValue; typescript: string }>;
  /** Calls any tool by its name; its arguments are checked when it is called. */
  call(request: { name: string; args?: { [key: string]: JsonValue } }): Promise<JsonValue>;`

export function declarations(tools: readonly ToolRecord[], others: readonly ToolRecord[]): string {
  const members = [...tools.flatMap(declarationOf), ...(others.length > 0 ? [disclosure] : [])]
  return [preamble, '', 'declare const tools: {', ...members, '}'].join('\n')
}

function declarationOf({ name, description, parameters, output }: ToolRecord): readonly string[] {
  const call = `(args: ${jsonSchemaToTs(parameters, 1)}): Promise<${jsonSchemaToTs(output, 1)}>;`
  return [`  /** ${commentText(description)} */`, `  ${propertyName(name)}${call}`]
}

/** In one line, and unable to end the comment it stands in. */
function commentText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('*/', String.raw`*\/`)
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
