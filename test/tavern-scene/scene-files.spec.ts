import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listScenes, parseScene, readScene, SceneError } from 'dsh-tavern-scene'
import { describe, expect, onTestFinished, test } from 'vitest'

const room = `
title: A room
premise: A room with one lamp.
cast:
  - character: ann
  - character: bo
`

/** Folders with scenes in them, by root and id. */
function roots(...trees: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-scenes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return trees.map((tree, index) => {
    const root = join(folder, `root-${index}`)
    mkdirSync(root)
    for (const [id, text] of Object.entries(tree)) {
      mkdirSync(join(root, id))
      writeFileSync(join(root, id, 'scene.yml'), text)
    }
    return root
  })
}

async function refusal(act: () => unknown): Promise<SceneError> {
  try {
    await act()
  } catch (error) {
    if (error instanceof SceneError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const invalid = async (text: string) => {
  const error = await refusal(() => parseScene('room', 'scenes/room/scene.yml', text))
  expect(error.code).toBe('invalid-scene')
  return error.message
}

describe('a scene', () => {
  test('of the fewest words has everything else by default', () => {
    expect(parseScene('room', 'scene.yml', room)).toEqual({
      id: 'room',
      title: 'A room',
      premise: 'A room with one lamp.',
      language: 'en',
      persona: { name: 'You', description: '' },
      direction: 'natural',
      selfResponses: false,
      narrator: {},
      cast: [
        { character: 'ann', onStage: true, muted: false, secrets: [] },
        { character: 'bo', onStage: true, muted: false, secrets: [] },
      ],
      world: {},
      variables: {},
      rules: {},
      caps: { beatsPerLine: 6, autoBeats: 24, characterTokens: 400_000, sceneTokens: 2_000_000 },
      seed: 1,
    })
  })

  test('keeps what it says, and the caps it does not mention', () => {
    const scene = parseScene(
      'room',
      'scene.yml',
      `${room}greeting: bo
caps: { beatsPerLine: 2 }
world:
  lamp: { value: { lit: true, oil: 0.5 } }
  safe: { value: null, knownTo: [bo] }
  since: { value: 2026-11-30 }
`,
    )

    expect(scene.greeting).toBe('bo')
    expect(scene.caps).toMatchObject({ beatsPerLine: 2, autoBeats: 24 })
    expect(scene.world).toEqual({
      lamp: { value: { lit: true, oil: 0.5 } },
      safe: { value: null, knownTo: ['bo'] },
      since: { value: '2026-11-30' },
    })
  })

  test('may be JSON', () => {
    const scene = { title: 'A room', premise: 'Dark.', cast: [{ character: 'ann' }] }

    expect(parseScene('room', 'scene.yml', JSON.stringify(scene)).title).toBe('A room')
  })
})

describe('what is wrong is said with its file and key', () => {
  const path = 'scenes/room/scene.yml'

  test.each([
    ['an unknown key', `${room}mood: dark`, '(top): Unrecognized key: "mood"'],
    ['an unknown key of a member', `${room}    colour: red`, 'cast[1]: Unrecognized key: "colour"'],
    ['an unknown cap', `${room}caps: { beats: 1 }`, 'caps: Unrecognized key: "beats"'],
    ['a wrong type', `${room}seed: many`, 'seed: Invalid input: expected number, received string'],
    [
      'a wrong type deep inside',
      `${room}    secrets: [1]`,
      'cast[1].secrets[0]: Invalid input: expected string, received number',
    ],
    ['a wrong word', `${room}direction: chaos`, 'direction: Invalid option: expected one of'],
    ['a number out of bounds', `${room}caps: { beatsPerLine: 0 }`, 'caps.beatsPerLine: Too small'],
    ['no cast', 'title: t\npremise: p\ncast: []', 'cast: Too small'],
    ['no premise', 'title: t\ncast: [{ character: ann }]', 'premise: Invalid input'],
    ['a blank title', room.replace('A room\n', '"  "\n'), 'title: Too small'],
    ['a list', '- a\n- b', '(top): Invalid input: expected object, received array'],
    ['a text', 'just words', '(top): Invalid input: expected object, received string'],
    [
      'a character that cannot be an id',
      `${room}  - character: ../ann`,
      'cast[2].character: must be lower-case letters, digits and dashes',
    ],
    ['a value that is no JSON', `${room}world: { k: { value: .inf } }`, 'world.k.value: '],
    ['no value', `${room}world: { k: { knownTo: [ann] } }`, 'world.k.value: '],
  ])('%s', async (_what, text, found) => {
    expect(await invalid(text)).toContain(`${path}: ${found}`)
  })

  test('several at once are all said', async () => {
    const message = await invalid(`${room}seed: many\nmood: dark`)

    expect(message).toContain('seed: ')
    expect(message).toContain('mood')
  })

  test.each([
    ['a character that greets', `${room}greeting: cy`, "greeting: 'cy'"],
    [
      'a character that knows',
      `${room}world: { safe: { value: 1, knownTo: [bo, cy] } }`,
      "world.safe.knownTo: 'cy'",
    ],
  ])('%s and is not in the cast', async (_what, text, found) => {
    expect(await invalid(text)).toBe(`${path}: ${found} is not in the cast (cast: ann, bo)`)
  })

  test('a character that is there twice', async () => {
    const text = `${room}  - character: ann`

    expect(await invalid(text)).toBe(`${path}: cast[2].character: 'ann' is there twice`)
  })

  test.each([
    ['a bracket left open', `${room}world: { k: `, 7],
    ['a tab', `${room}\tseed: 1`, 7],
    ['a key twice', `title: a\npremise: b\ntitle: c`, 3],
    ['an unknown tag', `${room}seed: !!js/function 'x'`, 7],
    ['an alias', `${room}world: { a: &a { value: 1 }, b: *a }`, 7],
    ['lists in lists without end', `title: ${'['.repeat(5000)}`, 1],
  ])('%s, with its line', async (_what, text, line) => {
    expect(await invalid(text)).toMatch(new RegExp(`^${path}:${line}: not YAML: `))
  })

  test('an empty file', async () => {
    expect(await invalid('')).toMatch(/^scenes\/room\/scene.yml: not YAML: .*empty/)
  })

  test('a file too large to be one', async () => {
    const text = `${room}# ${'x'.repeat(256 * 1024)}`

    expect(await invalid(text)).toBe(`${path}: ${text.length} characters, at most ${256 * 1024}`)
  })
})

describe('the folders of scenes', () => {
  test('are listed once each, in order, whatever else lies there', async () => {
    const [first = '', second = ''] = roots({ tower: room, inn: room }, { inn: room, attic: room })
    mkdirSync(join(first, 'empty'))
    mkdirSync(join(first, 'Not An Id'))
    writeFileSync(join(first, 'Not An Id', 'scene.yml'), room)
    writeFileSync(join(first, 'file'), '')

    expect(await listScenes([first, second, join(first, 'nowhere')])).toEqual([
      'attic',
      'inn',
      'tower',
    ])
  })

  test('are read in their order, the first that has the scene wins', async () => {
    const folders = roots(
      { inn: room.replace('A room', 'First') },
      { inn: room.replace('A room', 'Second'), attic: room },
    )

    expect((await readScene(folders, 'inn')).title).toBe('First')
    expect((await readScene(folders.toReversed(), 'inn')).title).toBe('Second')
    expect((await readScene(folders, 'attic')).id).toBe('attic')
  })

  test('have a broken scene as an error with its path, not as none', async () => {
    const [root = ''] = roots({ inn: 'title: a' })

    const error = await refusal(async () => await readScene([root], 'inn'))

    expect(error.code).toBe('invalid-scene')
    expect(error.message).toContain(join(root, 'inn', 'scene.yml'))
  })

  test.each(['attic', '../inn', 'inn/../inn', '..', '.', '', '/etc', 'Inn', 'inn\0', 'inn/'])(
    'have no scene %j, and say which they have',
    async (id) => {
      const error = await refusal(async () => await readScene(roots({ inn: room }), id))

      expect(error.code).toBe('unknown-scene')
      expect(error.message).toBe(`no scene '${id}' (scenes: inn)`)
    },
  )

  test('that hold nothing say so', async () => {
    const error = await refusal(async () => await readScene(roots({}), 'inn'))

    expect(error.message).toBe("no scene 'inn' (scenes: none)")
  })
})
