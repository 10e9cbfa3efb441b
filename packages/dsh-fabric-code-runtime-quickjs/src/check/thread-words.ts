/** What the checker and its thread say to each other. */
import type { Checked, Checking } from '../checking.ts'

export interface CheckAsked {
  readonly id: number
  readonly checking: Checking
}

export type ThreadMessage =
  | { readonly kind: 'warm' }
  | {
      readonly kind: 'checked'
      readonly id: number
      readonly checked: Checked
      readonly heapBytes: number
    }
