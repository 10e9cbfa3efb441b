/** When: milliseconds since the epoch, never NaN, infinite or negative. */
import { z } from 'zod'

export const timestamp = z.number().nonnegative()
