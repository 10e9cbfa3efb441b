/** Scenes as files: `<root>/<id>/scene.yml`, read and checked, each error naming file and key. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Scene, sceneDefinition, sceneId } from 'dsh-tavern-protocol'
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml'
import type { z } from 'zod'
import { SceneError } from './error.ts'
import { checkRuleKeys, type Programs, readPrograms } from './rule-files.ts'

export const sceneFile = 'scene.yml'
const SIZE_LIMIT = 256 * 1024

export async function readScene(roots: readonly string[], id: string): Promise<Scene> {
  return (await findScene(roots, id)).scene
}

export interface FoundScene {
  /** Its file. */
  readonly path: string
  readonly scene: Scene
  /** Texts of its rules, by name. */
  readonly programs: Programs
}

/** The first root that has the scene wins. */
export async function findScene(roots: readonly string[], id: string): Promise<FoundScene> {
  const known = sceneId.safeParse(id)
  for (const root of known.success ? roots : []) {
    const path = join(root, id, sceneFile)
    const text = await readFile(path, 'utf8').catch(absent)
    if (text !== undefined) {
      const scene = parseScene(id, path, text)
      return { path, scene, programs: await readPrograms(path, scene) }
    }
  }
  const all = await listScenes(roots)
  throw new SceneError('unknown-scene', `no scene '${id}' (scenes: ${all.join(', ') || 'none'})`)
}

/** Ids in order; a folder without a scene.yml is none. */
export async function listScenes(roots: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    roots.map(async (root) => {
      const names = await readdir(root).catch((): string[] => [])
      const ids = names.filter((name) => sceneId.safeParse(name).success)
      const files = await Promise.all(
        ids.map((id) => readdir(join(root, id)).catch((): string[] => [])),
      )
      return ids.filter((_id, index) => files[index]?.includes(sceneFile))
    }),
  )
  return [...new Set(found.flat())].toSorted()
}

export function parseScene(id: string, path: string, text: string): Scene {
  if (text.length > SIZE_LIMIT) {
    throw new SceneError(
      'invalid-scene',
      `${path}: ${text.length} characters, at most ${SIZE_LIMIT}`,
    )
  }
  const parsed = sceneDefinition.safeParse(parseYaml(path, text))
  if (!parsed.success) throw invalid(path, parsed.error)
  const scene = { id, ...parsed.data }
  checkNames(path, scene)
  checkRuleKeys(path, scene)
  return scene
}

function parseYaml(path: string, text: string): unknown {
  try {
    // aliases could make a small file endless, and no scene needs them
    return load(text, { schema: CORE_SCHEMA, maxAliases: 0 })
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause
    const line = cause.mark ? `:${cause.mark.line + 1}` : ''
    throw new SceneError('invalid-scene', `${path}${line}: not YAML: ${cause.reason}`, { cause })
  }
}

function invalid(path: string, error: z.ZodError): SceneError {
  const issues = error.issues.map((issue) => `${keyOf(issue.path)}: ${issue.message}`)
  return new SceneError('invalid-scene', `${path}: ${issues.join('; ')}`, { cause: error })
}

function keyOf(path: readonly PropertyKey[]): string {
  const key = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
  return key.replace(/^\./, '') || '(top)'
}

/** Every character named anywhere must be in the cast, and be there once. */
function checkNames(path: string, scene: Scene): void {
  const cast = scene.cast.map(({ character }) => character)
  const fail = (key: string, found: string) => {
    throw new SceneError(
      'invalid-scene',
      `${path}: ${key}: '${found}' is not in the cast (cast: ${cast.join(', ')})`,
    )
  }
  const twice = cast.find((character, index) => cast.indexOf(character) !== index)
  if (twice !== undefined) {
    throw new SceneError(
      'invalid-scene',
      `${path}: cast[${cast.lastIndexOf(twice)}].character: '${twice}' is there twice`,
    )
  }
  if (scene.greeting !== undefined && !cast.includes(scene.greeting))
    fail('greeting', scene.greeting)
  for (const [key, entry] of Object.entries(scene.world)) {
    const stranger = entry.knownTo?.find((character) => !cast.includes(character))
    if (stranger !== undefined) fail(`world.${key}.knownTo`, stranger)
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
