/** Longer than any real link, wrapped and encoded, and short enough to look at in no time. */
const MAX_LENGTH = 8_192
const MAX_DECODINGS = 3

/** White space, and the invisible marks that mail programs and chats leave around a copied link. */
const INVISIBLE = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/
const OPENING_MARKS = '<([{"\'`“‘«'
const CLOSING_MARKS = '>)]"\'`”’».,;'

/** Printable ASCII without the backslash, which browsers read as a slash and other readers do not. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/

/** Without what surrounds a link in running text; null when what is left cannot be a link. */
export function trimPastedText(given: string): string | null {
  if (given.length > MAX_LENGTH) return null
  let start = 0
  let end = given.length
  while (start < end && isSurroundingMark(given.charAt(start), OPENING_MARKS)) start += 1
  while (end > start && isSurroundingMark(given.charAt(end - 1), CLOSING_MARKS)) end -= 1
  const text = given.slice(start, end)
  return isPlainAscii(text) ? text : null
}

export function isPlainAscii(text: string): boolean {
  return PLAIN.test(text)
}

/** The text as it is and decoded once, twice and three times, as long as decoding changes it. */
export function decodedVariants(text: string): string[] {
  const found = [text]
  for (let last = text; found.length <= MAX_DECODINGS;) {
    const next = percentDecodeAscii(last)
    if (next === last) break
    found.push(next)
    last = next
  }
  return found
}

/** Percent-decodes ASCII only: nothing beyond it has a meaning here, and so nothing can be malformed. */
export function percentDecodeAscii(text: string): string {
  return text.replace(/%[0-7][0-9a-f]/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  )
}

function isSurroundingMark(character: string, marks: string): boolean {
  return marks.includes(character) || INVISIBLE.test(character)
}
