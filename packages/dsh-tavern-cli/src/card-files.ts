/** `import` and `export`: cards become presets of the home, and presets become cards again. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  CardError,
  characterIdFor,
  defaultPortrait,
  maxFileBytes,
  presetFiles,
  readCard,
  writeCardJson,
  writeCardPng,
} from 'dsh-tavern-cards'
import { checkLore } from 'dsh-tavern-lore'
import { bundleRoot, homePaths } from './boot.ts'
import { fileURLToPath } from 'node:url'
import { UsageError } from './exit.ts'
import { putFolder } from './put-folder.ts'

/** The picture a character came with; kept so that an export has it again. */
const portraitFile = 'portrait.png'

export interface Imported {
  readonly file: string
  readonly id: string
  readonly name: string
  readonly version: string
  readonly warnings: readonly string[]
  /** It replaced the preset of an earlier import of this name. */
  readonly replaced: boolean
}

export interface ImportOptions {
  readonly home: string
  /** The id to use; only for one file. */
  readonly as?: string
  /** Overwrite the preset of that id. */
  readonly replace: boolean
}

/** One card: wholly imported, or not at all. */
export async function importCard(file: string, options: ImportOptions): Promise<Imported> {
  const root = homePaths(options.home).presets
  const bytes = await readCardFile(file)
  const { card, source, version, warnings } = readCard(bytes, file)
  const taken = new Set([...(await folders(root)), ...(await folders(shippedPresets()))])
  const id = options.as ?? characterIdFor(card.name, options.replace ? new Set() : taken)
  const replaced = taken.has(id)
  if (replaced && !existsSync(join(root, id))) {
    throw new UsageError(
      `${file}: '${id}' is one of the tavern's own presets; choose another id with --as`,
    )
  }
  if (replaced && !options.replace) {
    throw new UsageError(`${file}: there is a character '${id}' already; --replace overwrites it`)
  }
  const files = presetFiles({ id, card, source })
  const staged = join(root, `.importing-${process.pid}-${id}`)
  try {
    for (const { path, content } of files) await write(join(staged, path), content)
    if (isPng(bytes)) await write(join(staged, id, portraitFile), bytes)
    await putFolder(join(staged, id), join(root, id))
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
  return {
    file,
    id,
    name: card.name,
    version,
    replaced,
    warnings: [
      ...warnings.map(({ field, message }) => `${file}: ${field}: ${message}`),
      ...checkLore(card.book?.entries ?? []).map(
        ({ entryId, key, message }) =>
          `${file}: character_book entry ${entryId}, key '${key}': ${message}`,
      ),
    ],
  }
}

export interface ExportOptions {
  readonly home: string
  readonly format: 'png' | 'json'
  /** A file, or a folder that is there; default: `<id>.<format>` in the working directory. */
  readonly out?: string
}

/** The path that was written. PNG carries both chunks, `chara` and `ccv3`. */
export async function exportCard(character: string, options: ExportOptions): Promise<string> {
  const folder = [homePaths(options.home).presets, shippedPresets()]
    .map((root) => join(root, basename(character)))
    .find((path) => existsSync(join(path, 'card.json')))
  if (folder === undefined || basename(character) !== character) {
    throw new UsageError(
      `no character '${character}' (characters: ${(await characters(options.home)).join(', ')})`,
    )
  }
  const path = join(folder, 'card.json')
  const { card, source } = readCard(await readFile(path), path)
  const out = await target(`${character}.${options.format}`, options.out)
  if (options.format === 'json') {
    await write(out, writeCardJson(source))
    return out
  }
  const picture = await readFile(join(folder, portraitFile)).catch(() => defaultPortrait(card.name))
  await write(out, writeCardPng(picture, source))
  return out
}

async function target(name: string, out: string | undefined): Promise<string> {
  if (out === undefined) return name
  const found = await stat(out).catch(() => undefined)
  return found?.isDirectory() ? join(out, name) : out
}

/** Ids of all that have a card. */
export async function characters(home: string): Promise<readonly string[]> {
  const roots = [homePaths(home).presets, shippedPresets()]
  const found = await Promise.all(
    roots.map(async (root) =>
      (await folders(root)).filter((id) => existsSync(join(root, id, 'card.json'))),
    ),
  )
  return [...new Set(found.flat())].toSorted()
}

function shippedPresets(): string {
  return fileURLToPath(new URL('presets', bundleRoot))
}

async function folders(root: string): Promise<readonly string[]> {
  const names = await readdir(root).catch((): string[] => [])
  return names.filter((name) => !name.startsWith('.'))
}

async function readCardFile(file: string): Promise<Uint8Array> {
  const stats = await stat(file).catch(() => undefined)
  if (!stats) throw new UsageError(`${file}: no such file`)
  if (!stats.isFile()) throw new UsageError(`${file}: not a file`)
  if (stats.size > maxFileBytes) {
    const problem = `a card file may have ${maxFileBytes} bytes, found ${stats.size}`
    throw new CardError('too-large', problem, { file, field: 'file', found: String(stats.size) })
  }
  return await readFile(file)
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}.tmp`
  try {
    await writeFile(unfinished, content, { flush: true })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

function isPng(bytes: Uint8Array): boolean {
  return bytes[0] === 0x89 && bytes[1] === 0x50
}
