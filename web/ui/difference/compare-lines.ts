/** One line of the comparison of two texts. */
export type ComparedLine = { kind: 'same' | 'removed' | 'added'; text: string }

/** Lines that are equal in both texts and far from every difference. */
export type SkippedLines = { kind: 'skipped'; count: number }

/** With more lines or differences, the texts are shown one after the other, because a comparison would be slow. */
const MAX_LINES = 20_000
const MAX_DIFFERENCES = 1_000
const CONTEXT_LINES = 3

/** Compares two texts line by line. Returns the lines of both in order. Removed lines are only in `before`. */
export function compareLines(before: string, after: string): ComparedLine[] {
  const [old, current] = [toLines(before), toLines(after)]
  const shortest = Math.min(old.length, current.length)
  let start = 0
  while (start < shortest && old[start] === current[start]) start += 1
  let end = 0
  while (end < shortest - start && old.at(-1 - end) === current.at(-1 - end)) end += 1
  const middle = compareMiddle(
    old.slice(start, old.length - end),
    current.slice(start, current.length - end),
  )
  return [
    ...old.slice(0, start).map((text) => toLine('same', text)),
    ...middle,
    ...old.slice(old.length - end).map((text) => toLine('same', text)),
  ]
}

/** Leaves out equal lines that are not near a difference. */
export function skipEqualLines(lines: readonly ComparedLine[]): Array<ComparedLine | SkippedLines> {
  const isShown = new Uint8Array(lines.length)
  lines.forEach(({ kind }, i) => {
    if (kind !== 'same') isShown.fill(1, Math.max(0, i - CONTEXT_LINES), i + CONTEXT_LINES + 1)
  })
  const shown: Array<ComparedLine | SkippedLines> = []
  lines.forEach((line, i) => {
    const last = shown.at(-1)
    if (isShown[i] === 1) shown.push(line)
    else if (last?.kind === 'skipped') last.count += 1
    else shown.push({ kind: 'skipped', count: 1 })
  })
  return shown
}

function compareMiddle(old: readonly string[], current: readonly string[]): ComparedLine[] {
  const path = old.length + current.length <= MAX_LINES ? findShortestEdit(old, current) : null
  if (path === null)
    return [
      ...old.map((text) => toLine('removed', text)),
      ...current.map((text) => toLine('added', text)),
    ]
  return path
}

/**
 * Myers' greedy search for the fewest removed and added lines. `reached[k]` is the furthest line of `old` on diagonal k
 * after d differences. Null if there are more differences than the limit.
 */
function findShortestEdit(
  old: readonly string[],
  current: readonly string[],
): ComparedLine[] | null {
  const [oldCount, count] = [old.length, current.length]
  const limit = Math.min(MAX_DIFFERENCES, oldCount + count)
  const offset = limit + 1
  const reached = new Int32Array(2 * limit + 3)
  const history: Int32Array[] = []
  for (let d = 0; d <= limit; d += 1) {
    history.push(reached.slice(offset - d - 1, offset + d + 2))
    for (let k = -d; k <= d; k += 2) {
      const [left = 0, right = 0] = [reached[offset + k - 1], reached[offset + k + 1]]
      let x = k === -d || (k !== d && left < right) ? right : left + 1
      while (x < oldCount && x - k < count && old[x] === current[x - k]) x += 1
      reached[offset + k] = x
      if (x >= oldCount && x - k >= count) return followBack(history, old, current)
    }
  }
  return null
}

/** Walks from the end of both texts back to their start, along the reached positions. */
function followBack(
  history: readonly Int32Array[],
  old: readonly string[],
  current: readonly string[],
): ComparedLine[] {
  const lines: ComparedLine[] = []
  let [x, y] = [old.length, current.length]
  for (let d = history.length - 1; d >= 0; d -= 1) {
    const at = (k: number) => history[d]?.[k + d + 1] ?? 0
    const k = x - y
    const isAdded = k === -d || (k !== d && at(k - 1) < at(k + 1))
    const previousX = d === 0 ? 0 : at(isAdded ? k + 1 : k - 1)
    const previousY = d === 0 ? 0 : previousX - (isAdded ? k + 1 : k - 1)
    while (x > previousX && y > previousY) {
      x -= 1
      y -= 1
      lines.push(toLine('same', old[x] ?? ''))
    }
    if (d === 0) break
    if (isAdded) lines.push(toLine('added', current[(y -= 1)] ?? ''))
    else lines.push(toLine('removed', old[(x -= 1)] ?? ''))
  }
  return lines.toReversed()
}

function toLines(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n')
}

function toLine(kind: ComparedLine['kind'], text: string): ComparedLine {
  return { kind, text }
}
