/** Who the speaker is, from its system prompt. */
import type { SectionName, Sections } from './sections.ts'

/** One turn of example dialogue: what was said to the speaker, and what it said. */
export interface Example {
  readonly prompt: string
  readonly answer: string
}

export interface Persona {
  readonly name: string
  readonly description: string
  readonly personality: string
  readonly instructions: string
  readonly examples: readonly Example[]
}

/** Characters of one section that are looked at. */
const TEXT_LIMIT = 20_000

export function readPersona(system: Sections): Persona {
  const head = system.head.slice(0, TEXT_LIMIT)
  const of = (section: SectionName) => system.of(section).slice(0, TEXT_LIMIT)
  const name = of('character').split('\n')[0]?.trim() || nameIn(head)
  return {
    name,
    description: of('description') || head,
    personality: of('personality'),
    instructions: of('instructions'),
    examples: examplesOf(of('examples'), name),
  }
}

/** `You are Alice.` in a prompt without headings. */
function nameIn(text: string): string {
  const english = /\bYou are (?!an?\b|the\b)(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})/u.exec(
    text,
  )
  const chinese = /(?:你是|你叫|扮演)([\p{Script=Han}·]{2,6})[，。,.\n]/u.exec(text)
  return english?.[1] ?? chinese?.[1] ?? ''
}

function examplesOf(text: string, name: string): readonly Example[] {
  return text.split(/<START>/i).flatMap((dialogue) => exchanges(dialogue, name))
}

function exchanges(dialogue: string, name: string): readonly Example[] {
  const turns: { by: string; text: string }[] = []
  for (const line of dialogue.split('\n')) {
    const spoken = /^\s*([^:："*“「]{1,60}?)\s*[:：]\s*(.*)$/u.exec(line)
    const last = turns.at(-1)
    if (spoken && isSpeaker(spoken[1] ?? '', name, last)) {
      turns.push({ by: spoken[1] ?? '', text: spoken[2] ?? '' })
    } else if (last) last.text += `\n${line}`
    else turns.push({ by: name, text: line })
  }
  return turns.flatMap(({ by, text }, index) => {
    if (!isOwnLabel(by, name) || text.trim() === '') return []
    const before = turns[index - 1]
    const prompt = before && !isOwnLabel(before.by, name) ? before.text.trim() : ''
    return [{ prompt, answer: text.trim() }]
  })
}

/** The name, or a part of it that stands for the whole: `Odo` for `Odo Kettle`. */
function isOwnLabel(label: string, name: string): boolean {
  const whole = ` ${name.toLowerCase()} `
  const part = ` ${label.toLowerCase()} `
  return label !== '' && (whole.includes(part) || part.includes(whole))
}

/** A line opens a turn with the own name, or with a name once the dialogue has begun to have them. */
function isSpeaker(label: string, name: string, last: { by: string } | undefined): boolean {
  return label === name || last === undefined || /^[^\s]+(?: [^\s]+){0,2}$/.test(label)
}
