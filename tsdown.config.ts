/** `bun run build`: every package to `dist/<name>`, and the root as the installable bundle beside them. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Bundle extends Manifest {
  readonly description: string
  readonly files: readonly string[]
  readonly dsh: object
}

interface Package {
  readonly folder: string
  readonly manifest: Manifest
}

const OUT = 'dist'

export default defineConfig(() => {
  rmSync(OUT, { recursive: true, force: true })
  const packages = globSync('packages/*/package.json')
    .toSorted()
    .map((path): Package => ({ folder: dirname(path), manifest: read(path) }))
  const root: Bundle = JSON.parse(readFileSync('package.json', 'utf8'))
  layBundle(root, packages)
  return packages.map(laid)
})

/** The package's folder in dist, all but its code; and how its code gets there. */
function laid({ folder, manifest }: Package): UserConfig {
  const out = join(OUT, manifest.name)
  const targets = [...Object.values(manifest.exports), ...Object.values(manifest.bin ?? {})]
  write(out, {
    ...manifest,
    ...(manifest.bin ? { bin: mapped(manifest.bin, built) } : {}),
    exports: mapped(manifest.exports, built),
    dependencies: mapped(manifest.dependencies ?? {}, (range, name) =>
      range.startsWith('workspace:') ? beside(name) : range,
    ),
  })
  for (const file of [...globSync(join(folder, 'README.md')), 'LICENSE']) {
    cpSync(file, join(out, basename(file)))
  }
  return {
    entry: targets.filter((target) => target !== built(target)).map((path) => join(folder, path)),
    outDir: join(out, 'lib'),
    unbundle: true,
    root: join(folder, 'src'),
    clean: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    dts: false,
    fixedExtension: false,
    tsconfig: 'tsconfig.json',
    deps: { neverBundle: true },
    logLevel: 'warn',
  }
}

/** What the root's `files` name, and a dependency on every package that a profile's rows can name: all but programs. */
function layBundle(root: Bundle, packages: readonly Package[]): void {
  const { name, version, description, license, exports, dsh, files } = root
  const out = join(OUT, name)
  const rows = packages.filter(({ manifest }) => manifest.bin === undefined)
  const dependencies = Object.fromEntries(
    rows.map(({ manifest }) => [manifest.name, beside(manifest.name)]),
  )
  write(out, { name, version, description, license, type: 'module', exports, dsh, dependencies })
  for (const file of [...files, 'README.md', 'LICENSE']) {
    cpSync(file, join(out, file), { recursive: true })
  }
}

function built(path: string): string {
  return path.replace(/^\.\/src\/(.*)\.tsx?$/, './lib/$1.js')
}

function beside(name: string): string {
  return `file:../${name}`
}

function mapped(
  record: Readonly<Record<string, string>>,
  change: (value: string, key: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

function read(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function write(folder: string, manifest: object): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
