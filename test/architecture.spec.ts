/** Imports go down only (design.md 3): each package may import packages of lower layers, and only through their doors. */
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '..')

/** Layer by package; the order inside `play` is scene over narrator over cast. */
const layers: Readonly<Record<string, number>> = {
  'dsh-fabric-protocol': 0,
  'dsh-tavern-protocol': 0.5,
  'dsh-tavern-cards': 1,
  'dsh-tavern-macros': 1,
  'dsh-tavern-lore': 1.5,
  'dsh-fabric-mesh': 2,
  'dsh-fabric-code-runtime-quickjs': 2,
  'dsh-fabric-session-query': 2,
  'dsh-tavern-improv': 2,
  'dsh-tavern-cast': 3,
  'dsh-tavern-narrator': 3.3,
  'dsh-tavern-scene': 3.6,
  'dsh-tavern-cli': 4,
  'dsh-fabric-host': 4,
  'dsh-fabric-system-prompt': 4,
  'dsh-tavern-delegate': 4,
}

/** The composition root mounts providers; everybody else knows ports only. */
const compositionRoot = join('packages', 'dsh-tavern-cli', 'src', 'boot.ts')

const packages = readdirSync(join(root, 'packages')).filter((name) => name.startsWith('dsh-'))

interface Import {
  readonly file: string
  readonly specifier: string
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

function importsOf(name: string): readonly Import[] {
  return sources(join(root, 'packages', name, 'src')).flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const found = text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s*'([^']+)'/g,
    )
    return [...found].map(([, from, dynamic, bare]) => ({
      file: relative(root, path),
      specifier: from ?? dynamic ?? bare ?? '',
    }))
  })
}

function declaredBy(name: string): readonly string[] {
  const text = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')
  const names = z.record(z.string(), z.string()).default({})
  const manifest = z
    .object({ dependencies: names, peerDependencies: names })
    .parse(JSON.parse(text))
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
}

function ownPackage(specifier: string): string | undefined {
  return packages.find((name) => specifier === name || specifier.startsWith(`${name}/`))
}

describe('architecture', () => {
  it('every package has a layer', () => {
    expect(packages.filter((name) => layers[name] === undefined)).toEqual([])
  })

  it.each(packages)('%s imports lower layers only', (name) => {
    const upward = importsOf(name).filter(({ specifier }) => {
      const other = ownPackage(specifier)
      return other !== undefined && other !== name && (layers[other] ?? 9) >= (layers[name] ?? 0)
    })

    expect(upward).toEqual([])
  })

  it.each(packages)('%s imports doors only', (name) => {
    const behind = importsOf(name).filter(({ file, specifier }) => {
      const other = ownPackage(specifier)
      if (other === undefined || specifier === other) return false
      return file !== compositionRoot
    })

    expect(behind).toEqual([])
  })

  it.each(packages)('%s stays inside its own folder', (name) => {
    const source = join(root, 'packages', name, 'src')
    const outside = importsOf(name).filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false
      return !resolve(root, dirname(file), specifier).startsWith(source)
    })

    expect(outside).toEqual([])
  })

  it.each(packages.filter((name) => (layers[name] ?? 9) < 2))('%s is pure', (name) => {
    const impure = importsOf(name).filter(
      ({ specifier }) =>
        specifier.startsWith('node:') ||
        builtinModules.includes(specifier) ||
        specifier.startsWith('@deepseek-ai/'),
    )

    expect(impure).toEqual([])
  })

  it('the words import zod only', () => {
    const words = packages.filter((name) => (layers[name] ?? 9) < 1)
    const foreign = words.flatMap(importsOf).filter(({ specifier }) => {
      return !specifier.startsWith('.') && specifier !== 'zod' && !words.includes(specifier)
    })

    expect(foreign).toEqual([])
  })

  it('every import is declared by its package', () => {
    const undeclared = packages.flatMap((name) => {
      const declared = declaredBy(name)
      return importsOf(name).filter(({ specifier }) => {
        if (specifier.startsWith('.') || specifier.startsWith('node:')) return false
        const bare = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/')
        return bare !== name && !declared.includes(bare)
      })
    })

    expect(undeclared).toEqual([])
  })
})
