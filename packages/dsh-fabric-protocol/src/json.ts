/** JSON values as the mesh stores and returns them. */
import { z } from 'zod'

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** Any JSON value: finite numbers only, no undefined, plain objects and arrays. */
export const jsonValue: z.ZodType<JsonValue> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(jsonValue).readonly(),
    z.record(z.string(), jsonValue).readonly(),
  ]),
)

/** A record of ours as JSON: the one erasure, since a type with optional fields is not JSON to the compiler. */
export function asJson(record: object): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema made it of JSON only
  return record as JsonValue
}
