/** A real boot in a home of its own, with scenes and characters written for one test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { boot, type BootOptions } from 'dsh-tavern-cli'
import type { PlacedBeat } from 'dsh-tavern-protocol'
import type { OpenOptions, OpenScene } from 'dsh-tavern-scene'
import { onTestFinished } from 'vitest'
import { ScriptedAdapter } from './scripted-adapter.ts'

export const scripted = { provider: 'scripted', model: 'scripted-1' } as const

export interface StageFiles {
  /** `scene.yml` content by scene id; JSON is YAML. */
  readonly scenes: Readonly<Record<string, object>>
  /** Card data by character id. */
  readonly characters?: Readonly<Record<string, object>>
  /** Texts of a scene's rules, by scene and name. */
  readonly rules?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface Stage {
  readonly ctx: Context
  readonly home: string
  readonly model: ScriptedAdapter
  open(scene: string, options?: OpenOptions): Promise<OpenScene>
  /** Disposes the host; the home stays for another boot. */
  close(): Promise<void>
}

/** A new home, or the one given; removed when the test has finished. */
export async function openStage(
  files: StageFiles,
  options: Partial<Pick<Stage, 'home' | 'model'>> &
    Pick<BootOptions, 'mesh' | 'hostName' | 'leaseMs'> = {},
): Promise<Stage> {
  const { home = newHome(), mesh, hostName, leaseMs } = options
  const folder = join(home, 'test')
  writeStage(folder, files)
  const ctx = await boot({
    home,
    retry: false,
    presetRoots: [join(folder, 'presets')],
    sceneRoots: [join(folder, 'scenes')],
    ...(mesh ? { mesh } : {}),
    ...(hostName ? { hostName } : {}),
    ...(leaseMs ? { leaseMs } : {}),
  })
  const model = options.model ?? new ScriptedAdapter()
  ctx.llm.registerAdapter([scripted.provider], model)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= ctx.fiber.dispose())
  onTestFinished(close)
  return {
    ctx,
    home,
    model,
    close,
    open: (scene, open = {}) => ctx.scenes.open(scene, { route: scripted, ...open }),
  }
}

export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'tavern-test-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

export function writeStage(
  folder: string,
  { scenes, characters = {}, rules = {} }: StageFiles,
): void {
  for (const [id, scene] of Object.entries(scenes)) {
    mkdirSync(join(folder, 'scenes', id), { recursive: true })
    writeFileSync(join(folder, 'scenes', id, 'scene.yml'), JSON.stringify(scene))
  }
  for (const [id, programs] of Object.entries(rules)) {
    mkdirSync(join(folder, 'scenes', id, 'rules'), { recursive: true })
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(folder, 'scenes', id, 'rules', `${name}.ts`), text)
    }
  }
  for (const [id, data] of Object.entries(characters)) {
    const preset = join(folder, 'presets', id)
    mkdirSync(preset, { recursive: true })
    writeFileSync(
      join(preset, 'agent.cordis.yml'),
      '- id: character\n  name: dsh-tavern-cast/character\n  config:\n    card: ./card.json\n',
    )
    writeFileSync(join(preset, 'card.json'), JSON.stringify(cardOf(data)))
  }
}

function cardOf(data: object): object {
  const empty = { description: '', personality: '', scenario: '', first_mes: '', mes_example: '' }
  const lists = { alternate_greetings: [], group_only_greetings: [], tags: [] }
  return {
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: { ...empty, ...lists, creator: '', extensions: {}, ...data },
  }
}

/** Three people in a room: the plainest cast. */
export const trio: StageFiles = {
  scenes: {
    room: {
      title: 'A room',
      premise: 'A room with one lamp.',
      direction: 'rota',
      persona: { name: 'Ellis' },
      cast: [{ character: 'ann' }, { character: 'bo' }, { character: 'cy', onStage: false }],
      world: { lamp: { value: 'lit' }, safe: { value: 'empty', knownTo: ['bo'] } },
    },
  },
  characters: { ann: { name: 'Ann' }, bo: { name: 'Bo' }, cy: { name: 'Cy' } },
}

/** The room with some keys changed. */
export function room(changes: object): StageFiles {
  return { ...trio, scenes: { room: { ...trio.scenes['room'], ...changes } } }
}

/** The room with rules: what scene.yml says of each, and its text. */
export function ruledRoom(
  rules: Readonly<Record<string, readonly [object, string]>>,
  changes: object = {},
): StageFiles {
  const entries = Object.entries(rules)
  const declared = Object.fromEntries(entries.map(([name, [trigger]]) => [name, trigger]))
  const texts = Object.fromEntries(entries.map(([name, [, text]]) => [name, text]))
  return { ...room({ rules: declared, ...changes }), rules: { room: texts } }
}

export async function beatsOf(scene: OpenScene): Promise<readonly PlacedBeat[]> {
  return await scene.run.read(0, 500)
}

/** `Name: text` of everything said, in order. */
export async function transcriptOf(scene: OpenScene): Promise<readonly string[]> {
  return (await beatsOf(scene)).map(({ beat }) => `${beat.author.name}: ${beat.text}`)
}

/** Says a line and waits for its outcome. */
export async function say(scene: OpenScene, text: string, to?: readonly string[]) {
  const id = await scene.nextId('line')
  const spoken = { id, text, ...(to ? { to } : {}) }
  return await (
    await scene.submit(scene.speaker(), spoken)
  ).outcome
}
