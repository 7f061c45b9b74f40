import { isSimilarWord, type TextWord } from './split-words.ts'

export type EmittedWordsMatch = {
  /** How many words of the shown text correspond to words that were already emitted, even if spelt differently. */
  matchedCount: number
  /** Quality of the match: at most twice the number of emitted words; 0 or less when nothing matches. */
  score: number
  /** The last emitted word is the last matched word, so no emitted word is missing at the end of the match. */
  isComplete: boolean
}

const POINTS = { same: 2, similar: 1, other: -1, missing: -1, extra: -1 }

type Cell = { score: number; isComplete: boolean }

const OUTSIDE: Cell = { score: Number.NEGATIVE_INFINITY, isComplete: false }

/**
 * Finds where the already emitted words end in the shown text, which may have lost its beginning. `isCut` means that
 * the shown text is the later part of a longer one. An emitted word that is now recognised differently still counts as
 * emitted: it is final and must not be emitted a second time.
 */
export function scoreEmittedWordsMatch(
  emitted: readonly string[],
  shown: readonly TextWord[],
  isCut: boolean,
): EmittedWordsMatch {
  const first = Array.from({ length: shown.length + 1 }, (_, skipped) => ({
    score: isCut ? 0 : skipped * POINTS.extra,
    isComplete: false,
  }))
  const rows: Cell[][] = [first]
  for (let row = 1; row <= emitted.length; row += 1) {
    const cells: Cell[] = [{ score: 0, isComplete: false }]
    rows.push(cells)
    for (let i = 1; i <= shown.length; i += 1) cells.push(bestStep(emitted, shown, rows, row, i))
  }
  return bestEnd(rows.at(-1) ?? first)
}

function bestStep(
  emitted: readonly string[],
  shown: readonly TextWord[],
  rows: Cell[][],
  row: number,
  i: number,
): Cell {
  const before = (emittedBack: number, shownBack: number): Cell =>
    rows[row - emittedBack]?.[i - shownBack] ?? OUTSIDE
  const word = emitted[row - 1] ?? ''
  const shownKey = shown[i - 1]?.key ?? ''
  let best: Cell = { score: before(1, 1).score + pointsFor(word, shownKey), isComplete: true }
  const offer = (score: number, isComplete: boolean): void => {
    if (score > best.score) best = { score, isComplete }
  }
  offer(before(1, 0).score + POINTS.missing, false)
  offer(before(0, 1).score + POINTS.extra, false)
  // Treats "everyone" and "every one" as the same.
  if (word === `${shown[i - 2]?.key}${shownKey}`) offer(before(1, 2).score + POINTS.same, true)
  if (shownKey === `${emitted[row - 2]}${word}`) offer(before(2, 1).score + 2 * POINTS.same, true)
  return best
}

function pointsFor(emitted: string, shownKey: string): number {
  if (emitted === shownKey) return POINTS.same
  return isSimilarWord(emitted, shownKey) ? POINTS.similar : POINTS.other
}

/** Chooses the later of equally good ends: skipping a corrected word is better than emitting a word twice. */
function bestEnd(cells: Cell[]): EmittedWordsMatch {
  let taken = 0
  for (const [i, cell] of cells.entries()) {
    if (cell.score >= (cells[taken]?.score ?? 0)) taken = i
  }
  return { matchedCount: taken, ...(cells[taken] ?? OUTSIDE) }
}
