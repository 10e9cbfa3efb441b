/** Where the processes that have one store open find each other: a folder of sockets that only the user may enter. */
import { lstatSync, mkdirSync, realpathSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The shortest limit there is for a socket's path, macOS's, less its end. */
const PATH_BYTES = 103
/** Of the names of the sockets in the folder. */
export const NAME_BYTES = 32

/** Beside the store; where that is too long a path, in the folder for temporary files. Undefined: no path is short enough. */
export function peerFolder(storePath: string): string | undefined {
  const path = realpathSync(storePath)
  const { dev, ino } = statSync(path)
  const user = process.getuid?.() ?? 0
  const folders = [`${path}-peers`, join(tmpdir(), `mesh-peers-${user}-${dev}-${ino}`)]
  return folders.find((folder) => Buffer.byteLength(folder) + 1 + NAME_BYTES <= PATH_BYTES)
}

/** Fails when the folder is not the user's own alone. */
export function makePeerFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const user = process.getuid?.() ?? found.uid
  if (!found.isDirectory() || found.uid !== user || (found.mode & 0o077) !== 0) {
    throw new Error(`'${folder}' is not a folder that only this user may enter`)
  }
}

/** The last one to leave removes it. */
export function leavePeerFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Others are there still.
  }
}
