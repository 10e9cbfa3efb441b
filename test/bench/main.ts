/** `bun run bench [area] [--json]`: figures as ratios within one run; exits 1 when one misses its target. */
import { castBench } from './cast.ts'
import { codeBench } from './code.ts'
import { meshBench } from './mesh.ts'
import { natsBench } from './mesh-nats.ts'
import { playBench } from './play.ts'
import type { Figure, Report } from './report.ts'

const areas: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  // first: what a cast adds to a process is measured in one that has just booted
  cast: castBench,
  code: codeBench,
  mesh: meshBench,
  'mesh-nats': natsBench,
  play: playBench,
}

const json = process.argv.includes('--json')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
/** `mesh` is all of the mesh, on every engine. */
const isOf = (area: string, asked: string) => area === asked || area.startsWith(`${asked}-`)
const unknown = wanted.filter((asked) => !Object.keys(areas).some((area) => isOf(area, asked)))
if (unknown.length > 0) {
  process.stderr.write(
    `no area '${unknown.join(', ')}' (areas: ${Object.keys(areas).join(', ')})\n`,
  )
  process.exit(2)
}

let missed = 0
for (const [area, bench] of Object.entries(areas)) {
  if (wanted.length > 0 && !wanted.some((asked) => isOf(area, asked))) continue
  if (!json) process.stderr.write(`${area}…\n`)
  await bench((figure) => {
    if (figure.ok === false) missed += 1
    process.stdout.write(`${json ? JSON.stringify(figure) : lineOf(figure)}\n`)
  })
}
process.exit(missed > 0 ? 1 : 0)

function lineOf({ area, name, value, unit, target, ok }: Figure): string {
  const shown = Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2)
  const verdict = ok === undefined ? '' : ok ? '  ok' : '  MISSED'
  return `${area.padEnd(6)} ${name.padEnd(58)} ${shown.padStart(9)} ${unit.padEnd(8)} ${(target ?? '').padEnd(14)}${verdict}`
}
