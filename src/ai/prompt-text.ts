/** A rough estimate, only for shortening texts and for previews. Billed tokens always come from the provider. */
const CHARS_PER_TOKEN = 4
/** Matches `<document` and `</document`, even with spaces or invisible characters that a model may ignore. */
const DOCUMENT_TAG = /<(?=[\s\p{Cf}]{0,20}\/?[\s\p{Cf}]{0,20}document\b)/giu
const BLOCK_END = '\n</document>'
const TRUNCATION_NOTE = '\n[cut here]'
const MAX_INLINE_CHARS = 300

/**
 * Wraps a document in <document> tags, which tell the model that it is data. The text is escaped, so that it can
 * neither end the block nor begin another one.
 */
export function wrapInDocumentTags(path: string, text: string): string {
  return `<document path="${toSafePromptLine(path).replaceAll('"', "'")}">\n${escapeDocumentTags(text)}${BLOCK_END}`
}

/** Makes a name or title safe for a prompt: one short line without <document> tags. */
export function toSafePromptLine(text: string): string {
  const line = toOneLine(text)
  return escapeDocumentTags(
    line.length > MAX_INLINE_CHARS ? `${line.slice(0, MAX_INLINE_CHARS)}…` : line,
  )
}

/** Like `toSafePromptLine`, but for what people said: one line of any length. */
export function toSafePromptText(text: string): string {
  return escapeDocumentTags(toOneLine(text))
}

function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .trim()
}

/** Estimates how many tokens a text has. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN)
}

/** Cuts a text to about this many tokens. A document block keeps its closing tag. */
export function truncateToTokens(text: string, maxTokens: number): string {
  const maxChars = maxTokens * CHARS_PER_TOKEN
  if (text.length <= maxChars) return text
  const end = text.endsWith(BLOCK_END) ? BLOCK_END : ''
  return `${text.slice(0, Math.max(0, maxChars - end.length)).toWellFormed()}${TRUNCATION_NOTE}${end}`
}

function escapeDocumentTags(text: string): string {
  return text.replace(DOCUMENT_TAG, '‹')
}
