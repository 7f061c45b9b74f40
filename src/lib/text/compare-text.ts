/** Characters that can't be seen, such as soft hyphens, zero-width spaces and direction marks. */
const INVISIBLE = /\p{Cf}|(?!\s)\p{Cc}/gu

const SURROGATE = /[\ud800-\udfff]/

/**
 * The form for comparing texts that people typed in different programs: one encoding for each letter (Apple stores
 * accents as separate characters), any kind of space as one space, and lower case.
 */
export function toComparableText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .normalize('NFKC')
    .trim()
}

/** Compares texts by their UTF-8 bytes, as the database does. JavaScript compares UTF-16 code units. */
export function compareByUtf8Bytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Sorts by the UTF-8 bytes of names. Without surrogates, the faster native comparison gives the same order. */
export function sortByUtf8Bytes<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const isBasicPlane = items.every((item) => !SURROGATE.test(nameOf(item)))
  if (!isBasicPlane) return items.toSorted((a, b) => compareByUtf8Bytes(nameOf(a), nameOf(b)))
  return items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

/** Surrogates encode characters above U+FFFF, so they sort after all other code units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}

/**
 * True if a text matches a pattern, ignoring case. In a pattern `*` stands for any characters. Without `*`, the text
 * only has to contain the pattern. The time is at most proportional to the product of both lengths.
 */
export function matchesWildcardPattern(text: string, pattern: string): boolean {
  const normalizedText = normalize(text)
  const parts = normalize(pattern).split('*')
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return normalizedText.includes(first)
  if (!normalizedText.startsWith(first)) return false
  let position = first.length
  for (const part of rest) {
    const found = normalizedText.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return normalizedText.length - last.length >= position && normalizedText.endsWith(last)
}

function normalize(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
