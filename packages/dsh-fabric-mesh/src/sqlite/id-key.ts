/** The number under which an id is looked up. Ids that count up (`line-7`, `line-7/1`) lie side by side: few pages. */

/** 17 bits of the text around the numbers, 30 bits of the numbers: SQLite keeps up to 47 in six bytes. */
const STEMS = 1 << 17
const ORDERS = 2 ** 30
const RUNS = 3
const RUN = 256
const PRIME = 16777619
const BASIS = 0x811c9dc5
const ZERO = 48
const NINE = 57

/** Different ids may have the same key; the record's own id decides. */
export function idKey(id: string): number {
  let stem = BASIS
  let all = BASIS
  let runs = 0
  let run = 0
  let order = 0
  let counting = false
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index)
    all = Math.imul(all ^ code, PRIME)
    if (code >= ZERO && code <= NINE) {
      if (!counting) runs += 1
      counting = true
      run = run * 10 + code - ZERO
      continue
    }
    if (counting) order = order * RUN + run
    counting = false
    run = 0
    stem = Math.imul(stem ^ code, PRIME)
  }
  if (counting) order = order * RUN + run
  if (runs === 0 || runs > RUNS || order >= ORDERS) return all >>> 1
  return ((stem ^ (stem >>> 15)) & (STEMS - 1)) * ORDERS + order
}
