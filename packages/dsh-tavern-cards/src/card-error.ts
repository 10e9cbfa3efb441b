/** The one error class of cards; callers switch on its code. */

export type CardErrorCode =
  /** Readable, but no character card. */
  | 'not-a-card'
  /** Not UTF-8 text, or text that is not JSON. */
  | 'bad-json'
  /** The PNG's signature or structure is damaged. */
  | 'bad-png'
  /** A chunk's checksum does not fit its bytes. */
  | 'bad-crc'
  /** The file ends before its end. */
  | 'truncated'
  | 'bad-base64'
  /** Over one of the limits: file, inflated chunk, JSON nesting, number of chunks. */
  | 'too-large'
  | 'missing-name'
  /** A field holds what cannot be taken for its type. */
  | 'wrong-type'
  /** A known format that is not read here: CHARX, other images, unknown specs. */
  | 'unsupported'

export interface CardErrorDetail {
  /** The name the caller gave for the file. */
  readonly file: string
  /** Path of the field inside the card, or the part of the file. */
  readonly field?: string
  /** What stood there. */
  readonly found?: string
}

export class CardError extends Error {
  readonly code: CardErrorCode
  readonly detail: CardErrorDetail

  /** `problem` continues the file's name: `card 'mara.png': <problem>`. */
  constructor(code: CardErrorCode, problem: string, detail: CardErrorDetail, cause?: unknown) {
    super(`card '${detail.file}': ${problem}`, cause === undefined ? {} : { cause })
    this.name = 'CardError'
    this.code = code
    this.detail = detail
  }
}
