/** Longer than any real link, also with wrappers and encoding, and short enough to parse quickly. */
const MAX_LENGTH = 8_192
const MAX_DECODINGS = 3

/** White space and the invisible characters that mail programs and chats add to a copied link. */
const INVISIBLE = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/
const OPENING_MARKS = '<([{"\'`“‘«*_~|（【「『《'
const CLOSING_MARKS = '>)]"\'`”’».,;!:|*~“—–…。、，；：！？）】」』》'

/** Printable ASCII without the backslash, which browsers treat as a slash and other parsers do not. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/

/** Removes quotes, brackets and white space around a pasted link; null when the rest cannot be a link. */
export function trimPastedLink(given: string): string | null {
  if (given.length > MAX_LENGTH) return null
  let start = 0
  let end = given.length
  while (start < end && isSurroundingMark(given.charAt(start), OPENING_MARKS)) start += 1
  while (end > start && isSurroundingMark(given.charAt(end - 1), CLOSING_MARKS)) end -= 1
  const text = given.slice(start, end)
  return hasOnlyLinkCharacters(text) ? text : null
}

export function hasOnlyLinkCharacters(text: string): boolean {
  return PLAIN.test(text)
}

/** The text itself, and decoded up to three times while decoding changes it. */
export function listPercentDecodings(text: string): string[] {
  const found = [text]
  for (let last = text; found.length <= MAX_DECODINGS;) {
    const next = percentDecodeAscii(last)
    if (next === last) break
    found.push(next)
    last = next
  }
  return found
}

/** Percent-decodes ASCII only. Links have no meaning outside ASCII here, so decoding cannot fail. */
export function percentDecodeAscii(text: string): string {
  return text.replace(/%[0-7][0-9a-f]/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  )
}

function isSurroundingMark(character: string, marks: string): boolean {
  return marks.includes(character) || INVISIBLE.test(character)
}
