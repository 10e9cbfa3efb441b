/** Tokens a performance cost, as the model's provider reported them. */
import { z } from 'zod'

export const usage = z
  .object({ inputTokens: z.number().nonnegative(), outputTokens: z.number().nonnegative() })
  .readonly()
export type Usage = z.infer<typeof usage>
