/** Cards as users have them, from file to stage: the real command line, then a scene with both. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readCard } from 'dsh-tavern-cards'
import { describe, expect, it } from 'vitest'
import { base64, pngWith, tEXt } from '../tavern-cards/png.ts'
import { card2, card3 } from '../tavern-cards/sample.ts'
import { newHome } from './stage.ts'

const root = join(import.meta.dirname, '../..')
const node = join(root, 'node_modules/.bin/node')
const main = join(root, 'packages/dsh-tavern-cli/src/main.ts')

const run = promisify(execFile)
const tavern = (home: string, ...args: readonly string[]) =>
  run(node, [main, ...args, '--home', home], { encoding: 'utf8' })

const fields = { description: 'Brave.', mes_example: '<START>\n{{char}}: Onward! To the hills!' }

describe('two imported cards', () => {
  it('a V2 and a V3 PNG, play in one scene and are exported with what they came with', async () => {
    const home = newHome()
    const old = { ...card2({ ...fields, name: 'Old Tom', extensions: { mine: { kept: true } } }) }
    const young = card3({ ...fields, name: '关云长' })
    writeFileSync(join(home, 'old.png'), pngWith(tEXt('chara', base64(old))))
    writeFileSync(join(home, 'young.png'), pngWith(tEXt('ccv3', base64(young))))

    const imported = await tavern(home, 'import', join(home, 'old.png'), join(home, 'young.png'))
    const scene = {
      title: 'Two',
      premise: 'They met.',
      cast: [{ character: 'old-tom' }, { character: 'guan-yun-chang' }],
    }
    mkdirSync(join(home, 'tavern/scenes/two'), { recursive: true })
    writeFileSync(join(home, 'tavern/scenes/two/scene.yml'), JSON.stringify(scene))
    const played = await tavern(home, 'play', 'two', '--beats', '6', '--json')
    await tavern(home, 'export', 'old-tom', '--png', '--out', join(home, 'out.png'))

    expect(imported.stdout).toMatch(/old-tom: Old Tom \(v2\)[^]*guan-yun-chang: 关云长 \(v3\)/)
    const names = played.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).author.name)
    expect(names).toEqual(expect.arrayContaining(['Old Tom', '关云长']))
    const { source } = readCard(readFileSync(join(home, 'out.png')), 'out.png')
    expect(source).toMatchObject({
      spec: 'chara_card_v3',
      data: { extensions: { mine: { kept: true } } },
    })
  }, 60_000)
})

/** What the command prints in a fresh home, times and ids aside. */
async function beatsOfThirty(): Promise<readonly object[]> {
  const asked = ['play', 'ember-night', '--json', '--seed', '7', '--beats', '30']
  const { stdout } = await tavern(newHome(), ...asked)
  const lines = stdout.trim().split('\n')
  return lines.map((line) => ({ ...JSON.parse(line), at: 0, id: '' }))
}

describe('the same command twice', () => {
  it('prints the same beats in two fresh homes, times and ids aside', async () => {
    const [first, second] = await Promise.all([beatsOfThirty(), beatsOfThirty()])

    expect(first.length).toBeGreaterThanOrEqual(20)
    expect(second).toEqual(first)
  }, 60_000)
})
