import { endsLikeSentence, extractWordKeys } from '../../../lib/text/words.ts'
import type { PageCaptionRow } from '../bridge/messages.ts'
import {
  countCaptionWords,
  haveSameBeginning,
  mayBeSameSpeaker,
  haveSameFirstWord,
} from './text-overlap.ts'
import type { CaptionRowContent, TrackedPageRow, TrackedRows } from './tracked-row.ts'

/** Two rows of the same line appear at most this far apart. */
const TWIN_MS = 1_500
/** Fewer words can also be new speech that repeats them and appears in one step. */
const TWIN_WORDS = 4
/** If two rows show the same line, one of them disappears within this time, even on a busy machine. */
const TWIN_SETTLE_MS = 3_000

/** How a new row relates to the rows before it. */
export type RowRelation = {
  /** The row that showed the same line and is no longer in the page. */
  removed: TrackedPageRow | undefined
  /** A row that certainly shows the same line, even if it is no longer in the page. */
  sibling: TrackedPageRow | undefined
  /** Set when another row in the page may show the same line. */
  suspectedTwin: TrackedPageRow['suspectedTwin']
}

/** If the page redraws a line, the line reappears within this time, possibly as another row. */
const REAPPEAR_MS = 2_000
/** A short line can be said again within two seconds, so it is treated as redrawn only within this time. */
const SHORT_REAPPEAR_MS = 1_000
const SHORT_WORDS = 4

/** A line that is no longer in the page: its last text and when it disappeared. */
type RemovedLine = { text: string; removedAt: number }

export function relateNewRow(
  rows: TrackedRows,
  change: PageCaptionRow,
  at: number,
  rowContent: CaptionRowContent,
): RowRelation {
  const removed = findRemovedRow(rows, change, at) ?? findRowThatLeftMiddle(rows, change)
  const twin = removed === undefined ? findTwin(rows, change, at) : undefined
  const sibling = removed ?? (twin && isCertainTwin(twin, change, rowContent) ? twin : undefined)
  const { previousRowId } = change
  const isSuspected = sibling === undefined && twin !== undefined && previousRowId !== undefined
  return {
    removed,
    sibling,
    suspectedTwin: isSuspected ? { of: twin, since: at, previousRowId } : null,
  }
}

/** Decides whether a suspected twin is the other row's line. */
export function decideTwin(
  rows: TrackedRows,
  row: TrackedPageRow,
  { of: twin, since, previousRowId }: NonNullable<TrackedPageRow['suspectedTwin']>,
  at: number,
): 'wait' | 'same line' | 'new speech' {
  // A row that did not change itself differs only because the other row was corrected.
  if (row.changedAt > since && !haveSameBeginning(twin.text, row.text)) return 'new speech'
  if (twin.removedAt !== null) {
    const isSame = isInPlace(rows, twin, previousRowId) && !isLessComplete(row.text, twin.text)
    return isSame ? 'same line' : 'new speech'
  }
  if (row.removedAt !== null) {
    const isMore = countCaptionWords(row.text) > countCaptionWords(twin.text)
    return isMore || isOtherWord(row.text, twin.text) ? 'new speech' : 'same line'
  }
  // Two rows of one line grow together. While they do, they are not separate speech.
  const togetherAt = Math.min(twin.changedAt, row.changedAt)
  return at - Math.max(since, togetherAt) >= TWIN_SETTLE_MS ? 'new speech' : 'wait'
}

/** Makes a row show another row's line. One of the two rows is no longer in the page. */
export function joinLine(row: TrackedPageRow, twin: TrackedPageRow): void {
  const { line, order, appearedAt, publishedText } = twin
  const pendingTexts = row.removedAt === null ? [...twin.pendingTexts, ...row.pendingTexts] : []
  Object.assign(row, { line, order, appearedAt, publishedText, isNewSpeech: false, pendingTexts })
  if (row.removedAt !== null) row.isReplaced = true
  else Object.assign(twin, { isReplaced: true, pendingTexts: [] })
}

/**
 * True if a row appeared with all words of an earlier row whose words are published. Pages redraw lines, even at
 * another place. New speech appears word by word, and the wire would publish it again.
 */
export function isPublishedLineDrawnAgain(
  rows: TrackedRows,
  row: TrackedPageRow,
  firstText: { text: string; at: number },
): boolean {
  if (firstText.at !== row.addedAt) return false
  return [...rows.values()].some(
    (other) =>
      other.addedAt < row.addedAt &&
      other.pendingTexts.length === 0 &&
      showsSameLine(other, { speaker: row.speaker, text: firstText.text }),
  )
}

/** True if a row shows exactly these words, and enough of them to be the same line. */
function showsSameLine(row: TrackedPageRow, line: { speaker: string; text: string }): boolean {
  const words = extractWordKeys(line.text)
  return (
    words.length >= TWIN_WORDS &&
    mayBeSameSpeaker(row.speaker, line.speaker) &&
    extractWordKeys(row.text).join(' ') === words.join(' ')
  )
}

/** If a new row shows all words of a line at once, returns that line's row that disappeared between other lines. */
function findRowThatLeftMiddle(
  rows: TrackedRows,
  change: PageCaptionRow,
): TrackedPageRow | undefined {
  return [...rows.values()].findLast(
    (row) =>
      row.removedAt !== null && row.hasLeftMiddle && !row.isReplaced && showsSameLine(row, change),
  )
}

/** True if a row below `previousRowId` can be the line of `row`, because no later line is above it. */
function isInPlace(
  rows: TrackedRows,
  row: TrackedPageRow,
  previousRowId: string | undefined,
): boolean {
  const previous = rows.get(previousRowId ?? '')
  return previous === undefined || previous === row || previous.order < row.order
}

/** The row that showed this line shortly before. Only the newest row is still being corrected. */
function findRemovedRow(
  rows: TrackedRows,
  change: PageCaptionRow,
  at: number,
): TrackedPageRow | undefined {
  const newest = [...rows.values()].at(-1)
  return [...rows.values()].findLast((row) => {
    const { text, removedAt, isReplaced } = row
    if (removedAt === null || isReplaced || !mayBeSameSpeaker(row.speaker, change.speaker))
      return false
    return (
      isInPlace(rows, row, change.previousRowId) &&
      isLineDrawnAgain({ text, removedAt }, change.text, at, row === newest)
    )
  })
}

/** A row in the page that may show the same line. */
function findTwin(
  rows: TrackedRows,
  { speaker, text }: PageCaptionRow,
  at: number,
): TrackedPageRow | undefined {
  return [...rows.values()].findLast(
    (row) =>
      row.removedAt === null &&
      mayBeSameSpeaker(row.speaker, speaker) &&
      at - row.changedAt <= TWIN_MS &&
      (haveSameBeginning(row.text, text) || isBeginningOfFirstWord(text, row.text)),
  )
}

/** True for `No` and `Now`: a text with the first letters of another text's first word. */
function isOtherWord(text: string, than: string): boolean {
  return !haveSameBeginning(text, than) && isBeginningOfFirstWord(text, than)
}

/** True for `Ye` of `Yes.`, because the first word of a row may grow letter by letter. */
function isBeginningOfFirstWord(text: string, of: string): boolean {
  const [beginning = '', ...more] = extractWordKeys(text.slice(0, 100))
  const [first = ''] = extractWordKeys(of.slice(0, 100))
  return beginning !== '' && more.length === 0 && first.startsWith(beginning)
}

/** True if the twin is certain. Without the row's place, long texts are treated as the same line. */
function isCertainTwin(
  twin: TrackedPageRow,
  { previousRowId, text }: PageCaptionRow,
  rowContent: CaptionRowContent,
): boolean {
  // A row with the first letters of a word may go on with another word.
  if (!haveSameBeginning(twin.text, text)) return false
  // Two rows without a name can belong to two speakers.
  if (previousRowId !== undefined)
    return rowContent === 'turn' && previousRowId === twin.id && twin.speaker !== ''
  return Math.min(countCaptionWords(twin.text), countCaptionWords(text)) >= TWIN_WORDS
}

/**
 * True if a text is a removed line that the page redraws, and not the same words said again. A redrawn line shows all
 * of its words at once; speech starts with its first words and has no full stop yet. `isNewest`: the line was the
 * newest one, which the platform may still correct.
 */
export function isLineDrawnAgain(
  line: RemovedLine,
  text: string,
  at: number,
  isNewest: boolean,
): boolean {
  const isShort = extractWordKeys(line.text.slice(0, 200)).length < SHORT_WORDS
  const limitMs = isShort ? SHORT_REAPPEAR_MS : REAPPEAR_MS
  if (at - line.removedAt > limitMs || isLessComplete(text, line.text)) return false
  return haveSameBeginning(line.text, text) || (isNewest && haveSameFirstWord(line.text, text))
}

/** True if a text has only the first words or letters of another text, or the same words without the full stop. */
function isLessComplete(text: string, than: string): boolean {
  if (!haveSameBeginning(text, than)) return isOtherWord(text, than)
  const [own, other] = [extractWordKeys(text).length, extractWordKeys(than).length]
  return own < other || (own === other && endsLikeSentence(than) && !endsLikeSentence(text))
}
