import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readScene } from 'dsh-tavern-scene'
import { describe, expect, onTestFinished, test } from 'vitest'

const room = {
  title: 'A room',
  premise: 'A room with one lamp.',
  cast: [{ character: 'ann' }],
  world: { oil: { value: 3 }, lamp: { value: 'lit' } },
  variables: { dread: 1 },
}

/** What reading the scene fails with; `folder` stands for its own. */
async function refusal(changes: object, files: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'tavern-rules-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'room')
  mkdirSync(join(folder, 'rules'), { recursive: true })
  writeFileSync(join(folder, 'scene.yml'), JSON.stringify({ ...room, ...changes }))
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, 'rules', name), text)
  }
  const error: unknown = await readScene([root], 'room').then(
    () => undefined,
    (found: unknown) => found,
  )
  return error instanceof Error ? error.message.replaceAll(folder, 'folder') : error
}

describe('a scene with rules', () => {
  test('is read when each has its file, and each file its rule', async () => {
    const rules = { wind: { on: ['line'] }, dark: { when: { key: 'oil', atMost: 0 } } }
    const files = { 'wind.ts': '', 'dark.ts': '', 'notes.md': '', 'scene.d.ts': '', '.swp.ts': '' }

    expect(await refusal({ rules }, files)).toBeUndefined()
  })

  test.each([
    ['no file', { wind: {} }, {}, "rules.wind: there is no file 'folder/rules/wind.ts'"],
    [
      'a file too many',
      { wind: {} },
      { 'wind.ts': '', 'rain.ts': '' },
      "rain.ts' is not one of them (wind)",
    ],
    ['a name that is none', { '../wind': {} }, {}, 'rules.../wind: Invalid key in record'],
    [
      'an unknown trigger',
      { wind: { onLine: true } },
      {},
      'rules.wind: Unrecognized key: "onLine"',
    ],
    ['an unknown kind of beat', { wind: { on: ['roll'] } }, {}, 'rules.wind.on[0]: Invalid option'],
    [
      'a key that is not there',
      { wind: { when: { key: 'wine', is: 1 } } },
      {},
      "rules.wind.when.key: there is no 'wine' (oil, lamp, dread)",
    ],
    [
      'a bound of what is no number',
      { wind: { when: { key: 'lamp', atMost: 1 } } },
      {},
      'rules.wind.when: \'lamp\' is "lit", not a number',
    ],
    [
      'too long a program',
      { wind: {} },
      { 'wind.ts': 'x'.repeat(9000) },
      'folder/rules/wind.ts: 9000 bytes, at most 8192',
    ],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`r${index}`, {}])),
      {},
      'must be at most 16',
    ],
  ])('with %s is refused by file and key', async (_what, rules, files, found) => {
    expect(await refusal({ rules }, files)).toContain(found)
  })

  test('whose variable is in the world too is refused', async () => {
    expect(await refusal({ variables: { oil: 1 } })).toContain(
      "variables.oil: 'oil' is in world too",
    )
  })
})
