/** What every primitive of one workspace needs. */
import type { Link } from './link.ts'
import type { Names } from './names.ts'
import type { Order } from './order.ts'
import type { Places } from './places.ts'

export interface StoreOptions {
  readonly payloadLimitBytes: number
  readonly historyLimit: number
  readonly now: () => number
}

export interface Store {
  readonly link: Link
  readonly names: Names
  readonly order: Order
  readonly places: Places
  readonly options: StoreOptions
  readonly identity: string
}
