/** How many characters to insert, remove or replace to turn one text into the other. For short texts. */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const replaced = (previous[column - 1] ?? 0) + (isSame ? 0 : 1)
      const removed = (previous[column] ?? 0) + 1
      const inserted = (current[column - 1] ?? 0) + 1
      current.push(Math.min(replaced, removed, inserted))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
