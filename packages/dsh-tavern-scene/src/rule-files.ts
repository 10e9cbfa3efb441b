/** Rules as files: `<scene>/rules/<name>.ts` beside `scene.yml`, read, and checked before a scene is played. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CheckedCode } from 'dsh-fabric-code-runtime-quickjs'
import { checkRules, ruleFile } from 'dsh-tavern-narrator'
import type { RuleName, Scene } from 'dsh-tavern-protocol'
import { SceneError } from './error.ts'
import type { FoundScene } from './scene-files.ts'

export type Programs = Readonly<Record<RuleName, string>>

/** UTF-8 bytes: all of them stand with the run's scene in one record of the mesh. */
const PROGRAM_BYTES = 8 * 1024
const ALL_BYTES = 64 * 1024
/** Of one scene, told at once. */
const FAULTS = 12

/** Each rule has its file, and each file its rule. */
export async function readPrograms(path: string, { rules }: Scene): Promise<Programs> {
  const names = Object.keys(rules)
  const folder = join(dirname(path), 'rules')
  const files = (await readdir(folder).catch((): string[] => [])).filter(isProgram)
  const stray = files.find((file) => !names.includes(file.slice(0, -'.ts'.length)))
  if (stray !== undefined) {
    throw invalid(path, `rules: '${join(folder, stray)}' is not one of them (${listed(names)})`)
  }
  const programs: (readonly [RuleName, string])[] = []
  for (const name of names) {
    const file = join(dirname(path), ruleFile(name))
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) throw invalid(path, `rules.${name}: there is no file '${file}'`)
    requireBytes(file, text, PROGRAM_BYTES)
    programs.push([name, text])
  }
  requireBytes(folder, programs.map(([, text]) => text).join(''), ALL_BYTES)
  return Object.fromEntries(programs)
}

/** Fails with every fault, each with file, line, column and the line itself. */
export async function requireRules(
  code: CheckedCode | undefined,
  { path, scene, programs }: FoundScene,
): Promise<void> {
  if (Object.keys(programs).length === 0) return
  if (!code) {
    throw new SceneError('unsupported', `${path}: rules: there is no runtime for programs here`)
  }
  const faults = await checkRules(code, scene, programs)
  if (faults.length === 0) return
  const told = faults.slice(0, FAULTS).map(({ rule, line, column, message, source }) => {
    const file = join(dirname(path), ruleFile(rule))
    return `${file}:${line}:${column}: ${message}\n  ${source.trim()}`
  })
  const left = faults.length - told.length
  throw new SceneError(
    'invalid-scene',
    [...told, ...(left > 0 ? [`(${left} more)`] : [])].join('\n'),
    { detail: { faults } },
  )
}

/** Conditions name keys that there are; a name is of the world or of the variables. */
export function checkRuleKeys(path: string, { world, variables, rules }: Scene): void {
  const twice = Object.keys(variables).find((key) => Object.hasOwn(world, key))
  if (twice !== undefined) throw invalid(path, `variables.${twice}: '${twice}' is in world too`)
  for (const [name, { when }] of Object.entries(rules)) {
    if (!when) continue
    const { key, is } = when
    const value = Object.hasOwn(world, key)
      ? world[key]?.value
      : Object.hasOwn(variables, key)
        ? variables[key]
        : undefined
    if (value === undefined) {
      const known = [...Object.keys(world), ...Object.keys(variables)]
      throw invalid(path, `rules.${name}.when.key: there is no '${key}' (${listed(known)})`)
    }
    if (is === undefined && typeof value !== 'number') {
      throw invalid(path, `rules.${name}.when: '${key}' is ${JSON.stringify(value)}, not a number`)
    }
  }
}

function isProgram(file: string): boolean {
  return file.endsWith('.ts') && !file.startsWith('.') && !file.endsWith('.d.ts')
}

function listed(names: readonly string[]): string {
  return names.join(', ') || 'none'
}

function requireBytes(path: string, text: string, most: number): void {
  const bytes = Buffer.byteLength(text)
  if (bytes <= most) return
  throw new SceneError('invalid-scene', `${path}: ${bytes} bytes, at most ${most}`)
}

function invalid(path: string, found: string): SceneError {
  return new SceneError('invalid-scene', `${path}: ${found}`)
}
