/** Roughly, for a limit; what is counted and paid for comes from the provider alone. */
const CHARS_PER_TOKEN = 4
/** Also with spaces, or with what nobody sees, where a reader would not mind them. */
const DOCUMENT_TAG = /<(?=[\s\p{Cf}]{0,20}\/?[\s\p{Cf}]{0,20}document\b)/giu
const BLOCK_END = '\n</document>'
const TRUNCATION_NOTE = '\n[cut here]'
const MAX_INLINE = 300

/**
 * A document as a model is to see it: marked as data, with its path. Nothing in the text can end the block or
 * begin another.
 */
export function toDocumentBlock(path: string, text: string): string {
  return `<document path="${toInlineText(path).replaceAll('"', "'")}">\n${escapeDocumentTags(text)}${BLOCK_END}`
}

/** A name or title: one line, not long, and no block of its own. */
export function toInlineText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .trim()
  return escapeDocumentTags(line.length > MAX_INLINE ? `${line.slice(0, MAX_INLINE)}…` : line)
}

/** Cut to about so many tokens. A block stays one. */
export function truncateToTokens(text: string, tokens: number): string {
  const room = tokens * CHARS_PER_TOKEN
  if (text.length <= room) return text
  const end = text.endsWith(BLOCK_END) ? BLOCK_END : ''
  return `${text.slice(0, Math.max(0, room - end.length)).toWellFormed()}${TRUNCATION_NOTE}${end}`
}

function escapeDocumentTags(text: string): string {
  return text.replace(DOCUMENT_TAG, '‹')
}
