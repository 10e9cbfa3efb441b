/** How topics and mailboxes come to be and are found. */
import { checkId, checkPlace } from '../bounds.ts'
import { MeshError } from '../error.ts'
import type { Place } from '../mesh.ts'
import type { PlaceRow } from './places.ts'
import type { Store } from './store.ts'

export interface PlaceMaker<Wanted extends Place, Shown> {
  readonly kind: 'topic' | 'mailbox'
  /** What else a new place needs; inside its write. */
  readonly added: (number: number, at: number, place: Wanted) => void
  readonly show: (row: PlaceRow) => Shown
}

export class PlaceDoor<Wanted extends Place, Shown> {
  private readonly store: Store
  private readonly identity: string
  private readonly maker: PlaceMaker<Wanted, Shown>

  constructor(store: Store, identity: string, maker: PlaceMaker<Wanted, Shown>) {
    this.store = store
    this.identity = identity
    this.maker = maker
  }

  async create(place: Wanted): Promise<Shown> {
    const { kind } = this.maker
    checkPlace(kind, place)
    return this.store.write(() => {
      if (this.number(place.id) === undefined) return this.add(place)
      const message = `${kind} '${place.id}' exists already`
      throw new MeshError('already-exists', message, { detail: { kind, id: place.id } })
    })
  }

  async open(place: Wanted): Promise<Shown> {
    checkPlace(this.maker.kind, place)
    const known = this.store.glance(() => this.findNow(place.id))
    if (known !== undefined) return known
    return this.store.write(() => this.findNow(place.id) ?? this.add(place))
  }

  async find(id: string): Promise<Shown | undefined> {
    checkId(`${this.maker.kind} id`, id)
    return this.store.read(() => this.findNow(id))
  }

  /** The number of the place; fails with `not-found`. */
  require(id: string): number {
    const number = this.number(id)
    if (number !== undefined) return number
    const { kind } = this.maker
    throw new MeshError('not-found', `there is no ${kind} '${id}'`, { detail: { kind, id } })
  }

  private findNow(id: string): Shown | undefined {
    const number = this.number(id)
    return number === undefined ? undefined : this.shown(number)
  }

  private number(id: string): number | undefined {
    return this.store.places.find(this.identity, this.maker.kind, id)
  }

  private add(place: Wanted): Shown {
    const { names, options, places } = this.store
    const workspace = places.openWorkspace(this.identity)
    const at = options.now()
    const { id: name, label } = place
    const by = names.intern(place.by)
    const number = places.add(workspace, this.maker.kind, { name, label, by, at })
    this.maker.added(number, at, place)
    return this.shown(number)
  }

  /** By its number; inside a read or a write. */
  shown(number: number): Shown {
    const row = this.store.places.get(number)
    if (row !== undefined) return this.maker.show(row)
    throw this.store.damaged('it is missing', { table: 'place', row: number })
  }
}
