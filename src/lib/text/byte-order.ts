/** Compares texts by their UTF-8 bytes, as the database does; JavaScript compares UTF-16 code units. */
export function compareByUtf8Bytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const SURROGATE = /[\ud800-\udfff]/

/** Sorts items by the UTF-8 bytes of their names. Without surrogates the faster native comparison gives the same order. */
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
