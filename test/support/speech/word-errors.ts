/** The words of a text in one form, without punctuation. */
export function toComparableWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z' ]/g, ' ')
    .split(' ')
    .filter((word) => word !== '')
}

/** How many words were added, left out or replaced. */
export function countWordErrors(spoken: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  for (const [index, word] of spoken.entries()) {
    const next = [index + 1]
    for (const [other, heardWord] of heard.entries())
      next.push(
        Math.min(next[other]! + 1, row[other + 1]! + 1, row[other]! + (word === heardWord ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1)!
}
