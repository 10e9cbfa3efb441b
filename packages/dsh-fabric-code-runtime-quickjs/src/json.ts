/** JSON as it crosses between a program and its host: lossless, or refused. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** A JSON Schema, as the host's tool registry keeps them. */
export type JsonSchema = Readonly<Record<string, unknown>>
