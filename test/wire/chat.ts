/** The chat/completions request as it stands on the wire, read strictly enough to fail on what no provider takes. */
import { z } from 'zod'

const toolCall = z
  .object({
    id: z.string().min(1),
    type: z.literal('function'),
    function: z.object({ name: z.string().min(1), arguments: z.string() }).readonly(),
  })
  .readonly()

const part = z.object({ type: z.literal('text'), text: z.string() })

/** Text alone, whichever of the two forms a client sends it in; null is what a mere tool call has. */
const content = z
  .union([z.string(), z.array(part), z.null()])
  .optional()
  .transform((given) =>
    Array.isArray(given) ? given.map(({ text }) => text).join('') : (given ?? ''),
  )

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content }),
  z.object({ role: z.literal('user'), content }),
  z.object({
    role: z.literal('assistant'),
    content,
    reasoning_content: z.string().optional(),
    tool_calls: z.array(toolCall).readonly().optional(),
  }),
  z.object({ role: z.literal('tool'), content, tool_call_id: z.string().min(1) }),
])
export type WireMessage = Readonly<z.infer<typeof message>>

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().min(1),
    parameters: z.looseObject({ type: z.literal('object') }),
  }),
})

export const chatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1).readonly(),
  tools: z.array(tool).readonly().optional(),
  stream: z.literal(true),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
})
export type ChatRequest = z.infer<typeof chatRequest>

export type Protocol = 'deepseek' | 'openai'

/** One request as the server received it. */
export interface WireRequest {
  readonly protocol: Protocol
  /** The header's whole value; undefined when none was sent. */
  readonly authorization: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly raw: string
  readonly body: unknown
  readonly chat: ChatRequest
  readonly system: string
  /** Without the system's. */
  readonly messages: readonly WireMessage[]
}

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly raw: string
}

/** Fails, naming the key, on a body that is no streaming chat/completions request. */
export function readRequest(protocol: Protocol, { headers, raw }: Received): WireRequest {
  const body: unknown = JSON.parse(raw)
  const chat = chatRequest.parse(body)
  return {
    protocol,
    authorization: headers['authorization'],
    headers,
    raw,
    body,
    chat,
    system: chat.messages
      .filter(isSystem)
      .map((each) => each.content)
      .join('\n'),
    messages: chat.messages.filter((each) => !isSystem(each)),
  }
}

function isSystem({ role }: WireMessage): boolean {
  return role === 'system'
}
