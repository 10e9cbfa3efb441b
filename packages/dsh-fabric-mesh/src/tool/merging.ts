/** Merges the newest records of many places: each place is read only when its turn comes, a page at a time. */

export interface Source<Item> {
  /** Nothing in it is newer. */
  readonly updatedAt: number
  /** Newest first. */
  readonly pages: AsyncIterator<readonly Item[], unknown>
}

export interface Wanted<Item> {
  readonly limit: number
  /** UTF-8 bytes of JSON; the first is taken however large. */
  readonly bytes: number
  readonly timeOf: (item: Item) => number
}

export interface Merged<Item> {
  /** Oldest first. */
  readonly items: readonly Item[]
  /** `bytes` were the reason that there are no more. */
  readonly cut: boolean
}

interface Open<Item> {
  readonly pages: Source<Item>['pages']
  time: number
  rest: readonly Item[]
}

export async function newestOf<Item>(
  sources: readonly Source<Item>[],
  { limit, bytes, timeOf }: Wanted<Item>,
): Promise<Merged<Item>> {
  const open = new Set(
    sources.map(({ updatedAt, pages }): Open<Item> => ({ pages, time: updatedAt, rest: [] })),
  )
  const taken: Item[] = []
  let left = bytes
  while (taken.length < limit) {
    const newest = newestIn(open)
    if (newest === undefined) break
    const [item, ...rest] = newest.rest
    if (item === undefined) {
      await turn(newest, timeOf, open)
      continue
    }
    left -= Buffer.byteLength(JSON.stringify(item))
    if (left < 0 && taken.length > 0) return { items: taken.toReversed(), cut: true }
    taken.push(item)
    newest.rest = rest
    const next = rest[0]
    if (next !== undefined) newest.time = timeOf(next)
  }
  return { items: taken.toReversed(), cut: false }
}

function newestIn<Item>(open: ReadonlySet<Open<Item>>): Open<Item> | undefined {
  let newest: Open<Item> | undefined
  for (const source of open) {
    if (newest === undefined || source.time > newest.time) newest = source
  }
  return newest
}

/** Opens the source's next page, or closes the source. */
async function turn<Item>(
  source: Open<Item>,
  timeOf: (item: Item) => number,
  open: Set<Open<Item>>,
): Promise<void> {
  const page = await source.pages.next()
  if (page.done === true) {
    open.delete(source)
    return
  }
  source.rest = page.value
  const first = page.value[0]
  if (first !== undefined) source.time = timeOf(first)
}
