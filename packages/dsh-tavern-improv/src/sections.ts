/** Texts under the fixed headings of a persona and a briefing, in whichever language they are written. */
import { briefingHeadings, type Language, personaHeadings } from 'dsh-tavern-protocol'

export type SectionName = keyof typeof personaHeadings.en | keyof typeof briefingHeadings.en

export interface Sections {
  /** Of the headings; undefined when there is none. */
  readonly language: Language | undefined
  /** What stood before the first heading. */
  readonly head: string
  readonly of: (name: SectionName) => string
}

interface Heading {
  readonly name: SectionName
  readonly language: Language
}

const names: readonly SectionName[] = [
  ...keysOf(personaHeadings.en),
  ...keysOf(briefingHeadings.en),
]
const known: ReadonlyMap<string, Heading> = new Map(
  (['en', 'zh'] as const).flatMap((language) => {
    const titles = { ...personaHeadings[language], ...briefingHeadings[language] }
    return names.map((name) => [titles[name], { name, language }] as const)
  }),
)

/** The object's own keys; it is one of ours and has no others. */
function keysOf<T extends object>(value: T): readonly (keyof T & string)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys is typed for any object
  return Object.keys(value) as (keyof T & string)[]
}

export function readSections(text: string): Sections {
  const head: string[] = []
  const found = new Map<SectionName, string[]>()
  let language: Language | undefined
  let current = head
  for (const line of text.split('\n')) {
    const heading = known.get(/^\[([^\]]+)\]\s*$/.exec(line)?.[1] ?? '')
    if (!heading) {
      current.push(line)
      continue
    }
    language ??= heading.language
    current = found.get(heading.name) ?? []
    found.set(heading.name, current)
  }
  return {
    language,
    head: head.join('\n').trim(),
    of: (name) => (found.get(name) ?? []).join('\n').trim(),
  }
}

/** The `- text` items of a section, continuation lines joined. */
export function itemsOf(section: string): readonly string[] {
  const items: string[] = []
  for (const line of section.split('\n')) {
    const item = /^\s{0,1}[-•*]\s+(.*)$/.exec(line)?.[1]
    if (item !== undefined || items.length === 0) items.push((item ?? line).trim())
    else items[items.length - 1] += ` ${line.trim()}`
  }
  return items.filter((item) => item !== '')
}
