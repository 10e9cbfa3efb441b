/** Tab: commands at the start, ids after a command, names in a line. */
import { type OpenScene, sceneCommands } from 'dsh-tavern-scene'
import { printable } from './printable.ts'

export type Completion = [hits: string[], completed: string]

type Completed = { readonly cast: Pick<OpenScene['cast'], 'names' | 'profileOf'> }

/** An id is found by the beginning of any of its names too, and stands in their place. */
export function complete({ cast }: Completed, line: string): Completion {
  if (/^\/\S*$/.test(line)) {
    const commands = [...sceneCommands.map(({ name }) => name), 'help'].map((name) => `/${name} `)
    return [commands.filter((command) => command.startsWith(line)), line]
  }
  const word = /\S*$/.exec(line)?.[0] ?? ''
  const begins = (label: string) => label.toLowerCase().startsWith(word.toLowerCase())
  const isArgument = /^\/\S+\s+\S*$/.test(line)
  if (!isArgument) return [[...cast.names.values()].map(printable).filter(begins), word]
  const labels = (id: string) => [id, ...cast.profileOf(id).names]
  const ids = [...cast.names.keys()].filter((id) => labels(id).some(begins))
  return [ids.map((id) => `${id} `), word]
}
