/** Compares texts by their bytes in UTF-8, as the database does; JavaScript itself compares 16-bit units. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const SURROGATE = /[\ud800-\udfff]/

/** Sorts by the bytes of names; where no name has a character beyond 16 bits, the quick way gives the same. */
export function sortByBytes<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const isQuick = items.every((item) => !SURROGATE.test(nameOf(item)))
  if (!isQuick) return items.toSorted((a, b) => compareBytes(nameOf(a), nameOf(b)))
  return items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

/** Halves of a pair stand for characters beyond all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}
