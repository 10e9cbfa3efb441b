/** Seeded numbers for lore: the same seed and question give the same number in [0, 1). */
import { createHash } from 'node:crypto'

export function seededDraw(seed: string): (what: string) => number {
  return (what) => createHash('sha256').update(`${seed}\0${what}`).digest().readUInt32BE() / 2 ** 32
}
