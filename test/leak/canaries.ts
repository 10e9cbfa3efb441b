/** Marks put into everything that somebody must not know, and who may know each. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sceneDefinition, type SceneDefinition } from 'dsh-tavern-protocol'
import { CORE_SCHEMA, load } from 'js-yaml'
import { ruleFile } from 'dsh-tavern-narrator'
import { z } from 'zod'

export interface Canary {
  readonly mark: string
  /** Character ids; the narrator may know everything. */
  readonly knownTo: readonly string[]
}

const shipped = join(import.meta.dirname, '../..')

/** A mark that no model makes up and no reader splits. */
export function markFor(kind: string, owner: string, index: number): string {
  return `zq${kind}${owner.replaceAll('-', '')}${index}qz`
}

/** The shipped scene with a mark in each secret and in each hidden world value, and marked copies of its cards. */
export function markScene(scene: string, folder: string): readonly Canary[] {
  const text = readFileSync(join(shipped, 'scenes', scene, 'scene.yml'), 'utf8')
  const definition = sceneDefinition.parse(load(text, { schema: CORE_SCHEMA }))
  const canaries: Canary[] = []
  const marked = {
    ...definition,
    ...markedSecrets(definition, canaries),
    ...markedWorld(definition, canaries),
    ...markedRules(definition, canaries),
  }
  const folderOfScene = join(folder, 'scenes', scene)
  mkdirSync(join(folderOfScene, 'rules'), { recursive: true })
  writeFileSync(join(folderOfScene, 'scene.yml'), JSON.stringify(marked))
  for (const rule of Object.keys(definition.rules)) {
    cpSync(join(shipped, 'scenes', scene, ruleFile(rule)), join(folderOfScene, ruleFile(rule)))
  }
  writeFileSync(join(folderOfScene, ruleFile(WATCHER)), watcherProgram())
  for (const { character } of definition.cast) markCard(character, folder, canaries)
  return canaries
}

function markedSecrets(
  { cast }: SceneDefinition,
  canaries: Canary[],
): Pick<SceneDefinition, 'cast'> {
  return {
    cast: cast.map((member) => {
      const { character } = member
      const secrets = [...member.secrets, 'There is more.'].map((secret, index) => {
        const mark = markFor('secret', character, index)
        canaries.push({ mark, knownTo: [character] })
        return `${secret} ${mark}`
      })
      return { ...member, secrets }
    }),
  }
}

function markedWorld(
  definition: SceneDefinition,
  canaries: Canary[],
): Pick<SceneDefinition, 'world'> {
  const hidden = definition.cast.map(({ character }) => {
    const mark = markFor('world', character, 0)
    canaries.push({ mark, knownTo: [character] })
    return [`hidden.${character}`, { value: mark, knownTo: [character] }] as const
  })
  return { world: { ...definition.world, ...Object.fromEntries(hidden) } }
}

/** A rule that keeps a secret in every way that a rule can: it speaks of it where no character hears. */
const WATCHER = 'watcher'
const KEPT = markFor('variable', 'nobody', 0)
export const WRITTEN = markFor('program', 'nobody', 0)

function markedRules(
  { rules, variables }: SceneDefinition,
  canaries: Canary[],
): Pick<SceneDefinition, 'rules' | 'variables'> {
  canaries.push({ mark: KEPT, knownTo: [] }, { mark: WRITTEN, knownTo: [] })
  return {
    variables: { ...variables, [`kept.${WRITTEN}`]: KEPT },
    rules: { ...rules, [WATCHER]: { on: ['line'], about: `Watches. ${WRITTEN}` } },
  }
}

/** Fails after a person's line, with the secret in its error. */
function watcherProgram(): string {
  return `// ${WRITTEN}
const kept = variables.get('kept.${WRITTEN}')
if (cause.author.id.startsWith('seat:')) throw new Error(kept)
variables.set('kept.${WRITTEN}', kept.endsWith('.') ? '${KEPT}' : kept + '.')
roll('d6', { label: '${WRITTEN}', hidden: true })
tell('seats', '${WRITTEN}' + kept)
`
}

const markable = z.looseObject({
  data: z.looseObject({
    description: z.string(),
    personality: z.string(),
    scenario: z.string(),
    post_history_instructions: z.string(),
    character_book: z.looseObject({ entries: z.array(z.unknown()) }),
  }),
})

/** A mark in each field that only its own character may read: the card, its lore, its memory of itself. */
function markCard(character: string, folder: string, canaries: Canary[]): void {
  const preset = join(folder, 'presets', character)
  cpSync(join(shipped, 'presets', character), preset, { recursive: true })
  const path = join(preset, 'card.json')
  const card = markable.parse(JSON.parse(readFileSync(path, 'utf8')))
  const marks = ['description', 'personality', 'scenario', 'post_history_instructions'] as const
  for (const [index, field] of marks.entries()) {
    const mark = markFor('card', character, index)
    // the narrator reads the beginning of descriptions, others read none of it
    canaries.push({ mark, knownTo: [character] })
    card.data[field] = `${card.data[field]} ${mark}`
  }
  const lore = markFor('lore', character, 0)
  canaries.push({ mark: lore, knownTo: [character] })
  const entry = { keys: ['x'], content: `It is known: ${lore}`, constant: true, enabled: true }
  const plain = { extensions: {}, insertion_order: 1, use_regex: false, ...entry }
  card.data.character_book.entries.push(plain)
  writeFileSync(path, JSON.stringify(card))
}
