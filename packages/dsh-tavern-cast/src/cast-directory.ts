/** The working directory that characters' sessions are filed under. */
import { linkSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The host files a session by its working directory, so that must be the same for every path to a
 * home, and stay the same when the home is moved or copied: it is written down at first use.
 */
export function castDirectory(folder: string): string {
  const file = join(folder, 'cwd')
  return read(file) ?? write(file, realpathSync(folder))
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Of two processes that come first, both use what the quicker one wrote. */
function write(file: string, directory: string): string {
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, directory, { flush: true })
  try {
    linkSync(temporary, file)
  } catch {
    // there already; whatever else is wrong shows when it is read
  } finally {
    rmSync(temporary, { force: true })
  }
  return read(file) ?? directory
}
