/** What the newest briefing tells: who is here, the world, what happened, and what is asked. */
import { itemsOf, type Sections } from './sections.ts'

export interface Person {
  readonly name: string
  /** As written in the briefing, `character:mara`; empty when only the name is known. */
  readonly id: string
}

export interface WorldFact {
  readonly key: string
  readonly version: number
  readonly value: unknown
}

export interface Heard {
  readonly kind: 'line' | 'whisper' | 'narration'
  /** Empty for narration, and for a plain message without a name. */
  readonly by: string
  readonly text: string
}

export interface Briefing {
  /** Everyone else who is here. */
  readonly others: readonly Person[]
  readonly scene: string
  readonly world: readonly WorldFact[]
  readonly secrets: readonly string[]
  readonly lore: readonly string[]
  readonly heard: readonly Heard[]
  /** Keys that others have just changed. */
  readonly changedKeys: readonly string[]
  readonly notices: readonly string[]
  /** What the cue asks for beyond speaking; empty when nothing. */
  readonly instruction: string
  /** Only some will hear the answer. */
  readonly isPrivate: boolean
}

export interface BriefingText {
  readonly told: Sections
  readonly system: Sections
  readonly self: string
  /** The whole message, for one without headings. */
  readonly text: string
}

/** Characters of one line that are looked at. */
const LINE_LIMIT = 4000

export function readBriefing({ told, system, self, text }: BriefingText): Briefing {
  const happened = told.language === undefined ? text : told.of('happened')
  const heard = readHeard(happened, told.language === undefined).filter(
    ({ by }) => by !== self || by === '',
  )
  const scene = [told.of('scene'), told.of('scenario') || system.of('scenario')]
    .filter(Boolean)
    .join('\n')
  return {
    others: readPeople(told.of('scene'), heard).filter(({ name }) => name !== self),
    scene,
    world: itemsOf(told.of('world')).flatMap(readFact),
    secrets: [
      ...itemsOf(system.of('secrets')),
      ...itemsOf(told.of('secrets')),
      ...secretsOfOthers(system.head),
    ],
    lore: [...itemsOf(told.of('lore')), ...itemsOf(system.of('lore'))],
    heard,
    changedKeys: changedIn(happened),
    notices: itemsOf(told.of('notices')),
    ...readCue(told.of('cue')),
  }
}

/** Lines of a plain message have no names unless each begins with one. */
function readHeard(text: string, plain: boolean): readonly Heard[] {
  if (plain && text !== '' && !text.split('\n').every((line) => spokenLine(line) !== undefined)) {
    return [{ kind: 'line', by: '', text: text.slice(0, LINE_LIMIT) }]
  }
  const heard: Heard[] = []
  for (const line of text.split('\n')) {
    const last = heard.at(-1)
    const begun = /^\s{2}/.test(line) ? undefined : (narrationLine(line) ?? spokenLine(line))
    if (begun) heard.push(begun)
    else if (last && line.trim() !== '')
      heard[heard.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` }
  }
  return heard
    .map((one) => ({ ...one, text: parted(one.text.slice(0, LINE_LIMIT)).text }))
    .filter((one) => one.text !== '')
}

function narrationLine(line: string): Heard | undefined {
  const text = /^\*+\s*(.+?)\s*\*+$/.exec(line.trim())?.[1]
  return text !== undefined && !text.includes('*') ? { kind: 'narration', by: '', text } : undefined
}

function spokenLine(line: string): Heard | undefined {
  const whole = /^([^:：]{1,80}?)\s*(?:[(（]([^)）]*)[)）])?\s*[:：]\s*(.+)$/u.exec(line)
  if (!whole) return undefined
  const [, by = '', manner = '', text = ''] = whole
  const kind = /whisper|耳语|悄|低声/i.test(manner) ? 'whisper' : 'line'
  return { kind, by: by.trim(), text: text.trim() }
}

/** A line and the note at its end of what changed in the world with it. */
function parted(text: string): { readonly text: string; readonly note: string } {
  const at = Math.max(text.lastIndexOf('[now:'), text.lastIndexOf('[现在：'))
  const isNote = at >= 0 && /\][\s*]*$/u.test(text)
  return isNote
    ? { text: text.slice(0, at).trim(), note: text.slice(at) }
    : { text: text.trim(), note: '' }
}

function changedIn(text: string): readonly string[] {
  const notes = text.split('\n').map((line) => parted(line).note.replace(/^\[[^:：]*[:：]/u, ''))
  return notes.flatMap((note) =>
    Array.from(note.matchAll(/(?:^|, )\s?([^=,]{1,200}?) = /gu), ([, key = '']) => key.trim()),
  )
}

function readFact(item: string): readonly WorldFact[] {
  const whole = /^(.+?)\s*[(（](?:version|版本)\s*(\d+)[)）]\s*[:：]\s*(.+)$/su.exec(item)
  if (!whole) return []
  try {
    return [
      {
        key: whole[1] ?? '',
        version: Number(whole[2]),
        value: JSON.parse(whole[3] ?? '') as unknown,
      },
    ]
  } catch {
    // A value that is no JSON is not one of ours.
    return []
  }
}

/** A narrator's prompt names what only one of its cast knows. */
function secretsOfOthers(text: string): readonly string[] {
  const noted = text.matchAll(
    /[(（](?:only .{1,80}? knows|只有.{1,40}?知道)\s*[:：]\s*(.+)[)）]\s*$/gmu,
  )
  return Array.from(noted, ([, secret = '']) => secret)
}

function readPeople(scene: string, heard: readonly Heard[]): readonly Person[] {
  const people = new Map<string, Person>()
  for (const [, label = '', id = ''] of scene.matchAll(
    /([^<>\n]{1,200}?)\s{0,4}<([a-z]+:[^<>\s]+)>/gu,
  )) {
    const name = label.replace(/^.*[:：]\s*/u, '').replace(/^[\s,，、.。]+/u, '')
    const bare = name.replace(/[,，]\s*(?:you|你)$/u, '').trim()
    if (!/[,，]\s*(?:you|你)$/u.test(name)) people.set(bare, { name: bare, id })
  }
  for (const [, names = ''] of people.size > 0
    ? []
    : scene.matchAll(/^(?:On stage|Also here|在场|在座)[:：](.+)$/gmu)) {
    for (const name of names
      .split(/[,，、;；.。]| and /u)
      .map((one) => one.trim())
      .filter(Boolean)) {
      people.set(name, { name, id: '' })
    }
  }
  for (const { by } of heard) if (by !== '' && !people.has(by)) people.set(by, { name: by, id: '' })
  return [...people.values()]
}

function readCue(cue: string): Pick<Briefing, 'instruction' | 'isPrivate'> {
  const instruction = /^(?:Asked of you|对你的要求)[:：]\s*(.+(?:\n {2}.+)*)/mu.exec(cue)?.[1]
  const rest = cue
    .split('\n')
    .filter(
      (line) =>
        !/^(?:You |It |The |Speak |Only |你|有人|该你|轮到|这一刻|叙述者|现在请|只有|.{1,30}(?:提到了你|对你耳语|whispered to you))/u.test(
          line,
        ),
    )
  return {
    instruction: (instruction ?? (cue.startsWith('Asked') ? '' : rest.join(' '))).trim(),
    isPrivate: /^Only .+ will hear|^只有.+会听到/mu.test(cue),
  }
}
