const CONTROL = /\p{Cc}/u

/** Control characters other than spaces, and halves of surrogate pairs. PostgreSQL or a terminal can't handle them. */
const UNSAFE = /(?!\s)[\p{Cc}\p{Cs}]/gu

/** True if a text contains control characters, which a terminal would interpret instead of showing. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text)
}

export function removeControlCharacters(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '')
}

/** Replaces control characters with visible escapes such as `\x1b`. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** Makes one line that is safe to store and show: single spaces, and at most `maxLength` characters. */
export function toPlainLine(text: string, maxLength: number): string {
  const line = text.replaceAll(UNSAFE, '').replaceAll(/\s+/g, ' ').trim()
  return cutText(line, maxLength).trim()
}

/** Marks that reverse the direction of text could make one text look like another. */
export function removeDirectionMarks(text: string): string {
  return text.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
}

/** The beginning of a text. It never ends with half a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const isInsidePair = (text.codePointAt(maxLength - 1) ?? 0) > 0xff_ff
  return text.slice(0, isInsidePair ? maxLength - 1 : maxLength)
}

/** Copies a substring, so that the engine can free the long string that it was cut from. */
export function copySubstringToFreeOriginal(text: string): string {
  // For ASCII text, UTF-8 gives a string of half the size, but it can't carry half a surrogate pair.
  const encoding = text.isWellFormed() ? 'utf8' : 'utf16le'
  return Buffer.from(text, encoding).toString(encoding)
}

/**
 * Leaves only the first part of email addresses. Some platforms show people by their address, which readers without an
 * account must not get.
 */
export function hideEmailHosts(text: string): string {
  return text.replaceAll(/(\S)@[^\s@]+\.[^\s@]+/g, '$1')
}
