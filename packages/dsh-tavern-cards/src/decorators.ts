/** The `@@` lines that may lead a lore entry's content. */

export interface DecoratedContent {
  /** As written, in order. */
  readonly decorators: readonly string[]
  /** What follows them; blank lines among and after them belong to them. */
  readonly content: string
}

/** Content without leading `@@` lines is returned unchanged. */
export function splitDecorators(text: string): DecoratedContent {
  const decorators: string[] = []
  let rest = 0
  let from = 0
  while (from < text.length) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(from, end).trim()
    if (line.startsWith('@@')) decorators.push(line)
    else if (line !== '') break
    from = end + 1
    rest = from
  }
  if (decorators.length === 0) return { decorators, content: text }
  return { decorators, content: text.slice(rest) }
}
