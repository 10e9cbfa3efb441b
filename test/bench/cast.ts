/** 200 characters under 200 presets on stage: time after boot, heap and RSS they keep. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot } from 'dsh-tavern-cli'
import { atMost, figuresOf, type Report } from './report.ts'

const CHARACTERS = 200
const MIB = 2 ** 20
const figure = figuresOf('cast')

export async function castBench(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-bench-'))
  try {
    const { presets, scenes } = writeScene(folder)
    const ctx = await boot({
      home: join(folder, 'home'),
      presetRoots: [presets],
      sceneRoots: [scenes],
    })
    const before = memory()
    const start = performance.now()
    await ctx.scenes.open('crowd')
    const seconds = (performance.now() - start) / 1000
    const after = memory()
    report(atMost(figure('200 characters, 200 presets: on stage after boot', seconds, 's'), 2))
    report(atMost(figure('heap they keep', (after.heap - before.heap) / MIB, 'MB'), 20))
    report(atMost(figure('RSS they add', (after.rss - before.rss) / MIB, 'MB'), 60))
    await ctx.fiber.dispose()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function memory(): { readonly heap: number; readonly rss: number } {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed, rss }
}

/** Copies of Mara under names of their own. */
function writeScene(folder: string): { readonly presets: string; readonly scenes: string } {
  const presets = join(folder, 'presets')
  const scenes = join(folder, 'scenes')
  const source = new URL('../../presets/mara/', import.meta.url)
  const ids = Array.from({ length: CHARACTERS }, (_, index) => `guest-${index + 1}`)
  for (const id of ids) cpSync(source, join(presets, id), { recursive: true })
  const scene = {
    title: 'A crowd',
    premise: 'Everybody came.',
    cast: ids.map((character) => ({ character })),
  }
  mkdirSync(join(scenes, 'crowd'), { recursive: true })
  writeFileSync(join(scenes, 'crowd', 'scene.yml'), JSON.stringify(scene))
  return { presets, scenes }
}
