/** The commands of a seat, for a person: what there is, and what a line with an unknown one may have meant. */
import { sceneCommands } from 'dsh-tavern-scene'

/** One a line. */
export function helpText(): string {
  const commands = [...sceneCommands, { name: 'help', hint: '', description: 'This list' }]
  return commands
    .map(({ name, hint, description }) => `/${name}${hint && ` ${hint}`}: ${description}`)
    .join('\n')
}

export function unknownCommandText(line: string): string {
  const known = [...sceneCommands.map(({ name }) => `/${name}`), '/help'].join(', ')
  return `no command '${line.split(/\s/, 1)[0]}' (commands: ${known})`
}

export function asksForHelp(line: string): boolean {
  return /^\/help(\s|$)/.test(line)
}
