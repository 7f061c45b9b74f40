/** Control characters other than spaces, and halves of surrogate pairs. PostgreSQL or a terminal cannot take them. */
const UNSAFE = /(?!\s)[\p{Cc}\p{Cs}]/gu

/** One line of text from outside that can be stored and shown: with single spaces, and at most `maxLength` long. */
export function toPlainLine(text: string, maxLength: number): string {
  const line = text.replaceAll(UNSAFE, '').replaceAll(/\s+/g, ' ').trim()
  return cutText(line, maxLength).trim()
}

/** The beginning of a text, which never ends with half a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const isInsidePair = (text.codePointAt(maxLength - 1) ?? 0) > 0xff_ff
  return text.slice(0, isInsidePair ? maxLength - 1 : maxLength)
}
