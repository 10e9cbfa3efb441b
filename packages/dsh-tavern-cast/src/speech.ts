/** A model's text made one character's own: no name in front, nothing said for anyone else. */

export interface SpeechRequest {
  readonly self: string
  /** Names of everyone else who can be spoken for: the cast and the persons in the seats. */
  readonly others: readonly string[]
}

/** The text up to the first line that begins with another's name and a colon, without the own name in front. */
export function ownSpeech(text: string, { self, others }: SpeechRequest): string {
  const lines = withoutPrefix(text.trim(), self).split('\n')
  const end = lines.findIndex(
    (line, index) => index > 0 && others.some((name) => speaks(line, name)),
  )
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trim()
}

/** The same for a text that is still coming: gives out only what will stand. */
export class SpeechStream {
  readonly #request: SpeechRequest
  #raw = ''
  #given = ''

  constructor(request: SpeechRequest) {
    this.#request = request
  }

  /** What can be shown on top of all it gave before; '' while that is open. */
  add(piece: string): string {
    this.#raw += piece
    const speech = ownSpeech(this.#settledPart(), this.#request)
    if (!speech.startsWith(this.#given)) return ''
    const fresh = speech.slice(this.#given.length)
    this.#given = speech
    return fresh
  }

  /** Without a last line that may yet turn out to be a name and a colon. */
  #settledPart(): string {
    const { self, others } = this.#request
    const start = this.#raw.lastIndexOf('\n') + 1
    const last = this.#raw
      .slice(start)
      .trimStart()
      .replace(/^\*{0,2}/, '')
      .toLowerCase()
    const open = [self, ...others].some((name) => {
      const label = name.toLowerCase()
      return label.startsWith(last) || (last.startsWith(label) && last.length <= label.length + 3)
    })
    return open ? this.#raw.slice(0, start) : this.#raw
  }
}

function withoutPrefix(text: string, name: string): string {
  const bare = text.replace(/^\*{0,2}/, '')
  if (!speaks(bare, name)) return text
  const rest = bare.slice(name.length).replace(/^\s*\*{0,2}\s*[:：]\*{0,2}/, '')
  return rest.trim() === '' ? text : rest.trim()
}

function speaks(line: string, name: string): boolean {
  const start = line.trimStart().replace(/^\*{0,2}/, '')
  if (name === '' || !start.toLowerCase().startsWith(name.toLowerCase())) return false
  return /^\s*\*{0,2}\s*[:：]/.test(start.slice(name.length))
}
