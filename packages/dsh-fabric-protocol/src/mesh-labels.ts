/** How a mesh message is called where only a line of text fits; its payload is never shown. */

export function messageLabel(messageId: string): string {
  return `Message ${Array.from(messageId).slice(0, 8).join('')}`
}

/** Who wrote it, and because of what. */
export function authorshipLabel(record: {
  readonly by: string
  readonly cause?: string | undefined
}): string {
  const { by, cause } = record
  return cause === undefined ? `by ${by}` : `by ${by}, because of ${cause}`
}
