/** Puts a finished folder in the place of another: at every instant one of the two is whole on the disk. */
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** When the new one cannot be put there, the old one stands where it stood. */
export async function putFolder(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  const old = join(dirname(to), `.replaced-${process.pid}-${basename(to)}`)
  const stood = await moved(to, old)
  try {
    await rename(from, to)
  } catch (error) {
    if (stood) await rename(old, to)
    throw error
  }
  if (stood) await rm(old, { recursive: true, force: true })
}

/** False when nothing is there to move. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
