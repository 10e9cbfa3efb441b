/** Counts the commits in a write-ahead log: what a store really wrote, from outside. */
import { readFileSync } from 'node:fs'

const HEADER = 32
const FRAME_HEADER = 24

/** Pages of each commit in the log, oldest first. A checkpoint starts the log over. */
export function commitsIn(path: string): readonly number[] {
  const log = readFileSync(`${path}-wal`)
  const page = log.readUInt32BE(8)
  const salt = log.readBigUInt64BE(16)
  const commits: number[] = []
  let pages = 0
  for (let at = HEADER; at + FRAME_HEADER + page <= log.length; at += FRAME_HEADER + page) {
    if (log.readBigUInt64BE(at + 8) !== salt) break
    pages += 1
    if (log.readUInt32BE(at + 4) === 0) continue
    commits.push(pages)
    pages = 0
  }
  return commits
}
