/** How much JSON one answer of the tool holds. */

/** UTF-8 bytes of the records in one page; the first is in it however large. */
export const PAGE_BYTES = 1024 * 1024

/** The first of them that fit together, at least one. */
export function fitting<Item>(items: readonly Item[], bytes: number): readonly Item[] {
  let left = bytes
  const end = items.findIndex((item, index) => {
    left -= Buffer.byteLength(JSON.stringify(item))
    return left < 0 && index > 0
  })
  return end === -1 ? items : items.slice(0, end)
}
