import { isSimilarWord, type TextWord } from './split-words.ts'

export type WordAlignment = {
  /** How many of the words shown are the words said before, in whatever spelling. */
  matchedCount: number
  /** Points of the agreement: at most twice the number of words said, and none above 0 where there is none. */
  score: number
  /** The last word said is the last one taken: nothing said is missing at the end of what is shown. */
  isComplete: boolean
}

const POINTS = { same: 2, similar: 1, other: -1, missing: -1, extra: -1 }

type Cell = { score: number; isComplete: boolean }

const OUTSIDE: Cell = { score: Number.NEGATIVE_INFINITY, isComplete: false }

/**
 * Finds where the words said before end in the words shown now. What is shown may have dropped its beginning;
 * `isCut` says that it is itself the later part of a longer text. A word said that now reads otherwise counts as
 * said: it is final, and its new reading must not be said again.
 */
export function alignWords(
  said: readonly string[],
  shown: readonly TextWord[],
  isCut: boolean,
): WordAlignment {
  const first = Array.from({ length: shown.length + 1 }, (_, skipped) => ({
    score: isCut ? 0 : skipped * POINTS.extra,
    isComplete: false,
  }))
  const rows: Cell[][] = [first]
  for (let row = 1; row <= said.length; row += 1) {
    const cells: Cell[] = [{ score: 0, isComplete: false }]
    rows.push(cells)
    for (let i = 1; i <= shown.length; i += 1) cells.push(bestStep(said, shown, rows, row, i))
  }
  return bestEnd(rows.at(-1) ?? first)
}

function bestStep(
  said: readonly string[],
  shown: readonly TextWord[],
  rows: Cell[][],
  row: number,
  i: number,
): Cell {
  const before = (saidBack: number, shownBack: number): Cell =>
    rows[row - saidBack]?.[i - shownBack] ?? OUTSIDE
  const word = said[row - 1] ?? ''
  const seen = shown[i - 1]?.key ?? ''
  let best: Cell = { score: before(1, 1).score + pointsFor(word, seen), isComplete: true }
  const offer = (score: number, isComplete: boolean): void => {
    if (score > best.score) best = { score, isComplete }
  }
  offer(before(1, 0).score + POINTS.missing, false)
  offer(before(0, 1).score + POINTS.extra, false)
  // "everyone" and "every one" are the same.
  if (word === `${shown[i - 2]?.key}${seen}`) offer(before(1, 2).score + POINTS.same, true)
  if (seen === `${said[row - 2]}${word}`) offer(before(2, 1).score + 2 * POINTS.same, true)
  return best
}

function pointsFor(said: string, seen: string): number {
  if (said === seen) return POINTS.same
  return isSimilarWord(said, seen) ? POINTS.similar : POINTS.other
}

/** Of equally good ends the later one: rather a new reading of a final word than the word twice. */
function bestEnd(cells: Cell[]): WordAlignment {
  let taken = 0
  for (const [i, cell] of cells.entries()) {
    if (cell.score >= (cells[taken]?.score ?? 0)) taken = i
  }
  return { matchedCount: taken, ...(cells[taken] ?? OUTSIDE) }
}
