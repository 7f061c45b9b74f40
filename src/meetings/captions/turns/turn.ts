import { crc32 } from 'node:zlib'
import { copySubstringToFreeOriginal } from '../../../lib/text/plain-text.ts'
import {
  scoreEmittedWordsMatch,
  isPrefixAllowingPartialLastWord,
  isPositionInsideWord,
  extractWordKeys,
  splitWords,
  type TextWord,
} from '../../../lib/text/words.ts'
import type { SegmentRules } from '../segment-rules.ts'
import {
  commonPrefixLength,
  createTextTimeline,
  dropTimelineStart,
  recordTextChange,
  type TextTimeline,
} from '../text-timeline.ts'

/** What one speaker says until the next speaker starts: a final part and a pending part. Several rows can show one turn. */
export type CaptionTurn = {
  /** The id of the first row that showed the turn. Segments carry this id. */
  captionId: string
  /** All rows that showed the turn, each with a hash of its last text. Usually one, so a list is smallest. */
  rows: Array<{ readonly id: string; hash: number }>
  /** The data channels that deliver the turn. */
  channels: readonly string[]
  /** The row whose text updates the turn when several rows show it. */
  leadRowId: string
  speaker: string
  /** True if the captions carry version numbers. The source then also marks the final version. */
  isVersioned: boolean
  version: number
  /** True if the turn is finished and ignores further captions. */
  isClosed: boolean
  /** The text that is not final yet, exactly as the source shows it. */
  pending: string
  /** Number of characters of the source's text before `pending`. */
  finalChars: number
  /** The last final words in one string, which needs less memory than a list. Words are only appended. */
  finalWords: string
  /** The source's last characters before `pending`; null while the source does not show all of the final text. */
  anchor: string | null
  /** True if the final text ends in the middle of a word that was too long. */
  isMidWord: boolean
  /** False for a resumed turn until its final words are found in the source's text. */
  isPositionKnown: boolean
  /** The first words of the turn in one string; empty while `pending` begins with them. */
  firstWords: string
  timeline: TextTimeline
  changedAt: number
  /** The text does not become final before this time, because a late caption is often followed by a correction. */
  earliestFinalAt: number
  startedAt: number
  /** True if the source knows that the turn is new speech and not a copy of another turn. */
  isNewSpeech: boolean
  isFromSpeech: boolean
  /** True if words before or inside the text are missing. */
  isIncomplete: boolean
  /** When the next turn started; null while this is the newest turn. */
  followedAt: number | null
  /** When the leading row vanished from the page; null while it is visible. */
  vanishedAt: number | null
  /** The pending text that the segmenter last returned as this turn's partial. */
  lastPartial: string
}

/** The new first words, and the final words still shown, after the source dropped the beginning of its text. */
type NewBeginning = Pick<CaptionTurn, 'firstWords' | 'finalWords'>

/** How a row's text relates to a turn: it continues the turn, is an earlier state, or does not belong to it. */
export type RowTextMatch =
  | {
      kind: 'matched'
      pending: string
      finalChars: number
      anchor: string | null
      begin?: NewBeginning
    }
  /** The row shows an earlier state of the turn: the page is redrawing it, or it is a duplicate row with old text. */
  | { kind: 'earlier' }
  /** The row's text does not belong to the turn. */
  | { kind: 'different' }

/** Returns the turn's row with this id. Adds the row if the turn does not have it yet. */
export function rowOfTurn(turn: CaptionTurn, id: string): { hash: number } {
  const known = turn.rows.find((row) => row.id === id)
  if (known !== undefined) return known
  const added = { id, hash: NO_HASH }
  turn.rows.push(added)
  return added
}

/** What every comparison of texts needs. Tests use `countCharacters` to limit the cost of matching captions to turns. */
export type TextMatching = { rules: SegmentRules; countCharacters(characters: number): void }

/** Stands for the text hash of a caption row whose text is unknown. */
const NO_HASH = -1
const NO_CHANNELS: readonly string[] = []
const ANCHOR_CHARS = 64
const MAX_FINAL_WORDS = 60
/** How many characters at the beginning of a text are compared to recognize an earlier state of a turn. */
const HEAD_CHARS = 120
const HEAD_WORDS = 12
/** Words within this distance of the end of the final text are compared. */
const WINDOW_CHARS = 400
/** A text that became much shorter must show at least this many final words to belong to the same turn. */
const MIN_MATCHING_WORDS = 4
/** A row shows all of a turn if it contains this many of the turn's last words. */
const COVER_WORDS = 30
/** The alignment score per word from which two texts are the same: about four of five words are equal. */
const MIN_POINTS_PER_WORD = 1.6

export function createCaptionTurn(captionId: string, speaker: string, at: number): CaptionTurn {
  return {
    captionId,
    rows: [{ id: captionId, hash: NO_HASH }],
    channels: NO_CHANNELS,
    leadRowId: captionId,
    speaker,
    isVersioned: false,
    version: Number.NEGATIVE_INFINITY,
    isClosed: false,
    pending: '',
    finalChars: 0,
    finalWords: '',
    anchor: '',
    isMidWord: false,
    isPositionKnown: true,
    firstWords: '',
    timeline: createTextTimeline(),
    changedAt: at,
    earliestFinalAt: Number.NEGATIVE_INFINITY,
    startedAt: at,
    isNewSpeech: false,
    isFromSpeech: false,
    isIncomplete: false,
    followedAt: null,
    vanishedAt: null,
    lastPartial: '',
  }
}

export function countShownCharacters(turn: CaptionTurn): number {
  return turn.finalChars + turn.pending.length
}

/** Compares the whole text `raw` of a row with a turn. It reads only the end of a long text, to limit the cost. */
export function matchRowText(turn: CaptionTurn, raw: string, matching: TextMatching): RowTextMatch {
  const isShrunk = raw.length < countShownCharacters(turn) - matching.rules.restartChars
  if ((isShrunk || raw.length < turn.finalChars) && isEarlierTextOfTurn(turn, raw, matching)) {
    return { kind: 'earlier' }
  }
  if (isShrunk && turn.finalWords === '') return { kind: 'different' }
  matching.countCharacters(ANCHOR_CHARS)
  const { anchor, finalChars } = turn
  const isAnchored = !isShrunk && anchor !== null && isAnchorInPlace(turn, raw, anchor)
  if (!isAnchored) return realign(turn, raw, isShrunk, matching)
  const pending = raw.slice(finalChars)
  const isSame = isRewrite(turn.pending, pending, matching)
  return isSame ? { kind: 'matched', pending, finalChars, anchor } : { kind: 'different' }
}

/**
 * Updates the turn with a matched text. Returns true if the pending text changed. `startedAt` is when the new words
 * began; for a late caption it differs from `changedAt`.
 */
export function applyRowTextMatch(
  turn: CaptionTurn,
  match: RowTextMatch & { kind: 'matched' },
  { changedAt, startedAt }: { changedAt: number; startedAt: number },
): boolean {
  const pending = match.pending.trimEnd()
  turn.anchor = match.anchor
  turn.finalChars = match.finalChars
  turn.isPositionKnown = true
  Object.assign(turn, match.begin)
  if (pending === turn.pending) return false
  recordTextChange(turn.timeline, turn.pending, pending, changedAt, startedAt)
  turn.pending = pending
  turn.changedAt = changedAt
  return true
}

/** Moves the first `endOffset` characters of a turn's pending text to its final text and returns them. */
export function markPendingTextFinal(turn: CaptionTurn, endOffset: number): string {
  const piece = turn.pending.slice(0, endOffset)
  turn.firstWords = joinWords(firstWordsOfTurn(turn))
  const words = extractWordKeys(piece.slice(-2 * WINDOW_CHARS))
  turn.finalWords = joinWords(
    [...splitSpaceSeparatedWords(turn.finalWords), ...words].slice(-MAX_FINAL_WORDS),
  )
  const anchor = `${turn.anchor ?? ''}${piece.slice(-ANCHOR_CHARS)}`.slice(-ANCHOR_CHARS)
  turn.anchor = copySubstringToFreeOriginal(anchor)
  turn.isMidWord = isPositionInsideWord(turn.pending, endOffset)
  turn.finalChars += endOffset
  dropTimelineStart(turn.timeline, turn.pending, endOffset)
  turn.pending = turn.pending.slice(endOffset)
  turn.lastPartial = ''
  return piece
}

export function dropPendingText(turn: CaptionTurn): void {
  turn.firstWords = joinWords(firstWordsOfTurn(turn))
  turn.pending = ''
}

/** Adds text that an earlier bot made final. Its position in the source's text is not known. */
export function restoreFinalText(turn: CaptionTurn, text: string, at: number): void {
  turn.finalWords = joinWords(
    [...splitSpaceSeparatedWords(turn.finalWords), ...extractWordKeys(text)].slice(
      -MAX_FINAL_WORDS,
    ),
  )
  turn.anchor = null
  turn.isPositionKnown = false
  turn.startedAt = -Infinity
  turn.vanishedAt = at
}

/** The last words of the turn's final and pending text. */
export function lastWordsOfTurn(turn: CaptionTurn): string[] {
  return [
    ...splitSpaceSeparatedWords(turn.finalWords),
    ...extractWordKeys(turn.pending.slice(-WINDOW_CHARS)),
  ].slice(-MAX_FINAL_WORDS)
}

/** True if the row text `raw` contains all text of the turn. It may continue after it. */
export function isTurnContainedIn(turn: CaptionTurn, raw: string, matching: TextMatching): boolean {
  const tail = lastWordsOfTurn(turn)
  const words = tail.slice(-COVER_WORDS)
  const { shown, from } = wordsAround(turn, raw, countShownCharacters(turn), matching)
  const { score, isComplete } = scoreEmittedWordsMatch(
    words,
    shown,
    from > 0 || !turn.isPositionKnown || tail.length > COVER_WORDS,
  )
  return isComplete && score >= words.length * MIN_POINTS_PER_WORD
}

/** True if the row text `raw` is an earlier, shorter state of the turn. */
export function isEarlierTextOfTurn(
  turn: CaptionTurn,
  raw: string,
  matching: TextMatching,
): boolean {
  matching.countCharacters(Math.min(raw.length, HEAD_CHARS))
  return (
    raw.length <= countShownCharacters(turn) &&
    isPrefixAllowingPartialLastWord(firstWordsOf(raw), firstWordsOfTurn(turn))
  )
}

/** True if the row text starts with exactly the words of the turn. */
export function isTurnPrefixOf(turn: CaptionTurn, rowText: string): boolean {
  return (
    countShownCharacters(turn) < HEAD_CHARS &&
    isPrefixAllowingPartialLastWord(lastWordsOfTurn(turn), firstWordsOf(rowText))
  )
}

/** True if the last word of the row text is not cut off: it equals the turn's word at that position. */
export function isRowLastWordComplete(turn: CaptionTurn, rowText: string): boolean {
  const words = firstWordsOf(rowText)
  return words.at(-1) === firstWordsOfTurn(turn)[words.length - 1]
}

/** A hash of the text's end and length, used to notice that a row has changed. */
export function hashRowText(rowText: string): number {
  return crc32(rowText.slice(-WINDOW_CHARS), rowText.length)
}

/** Joins words into one string, which needs a tenth of the memory of a list. Words contain no spaces. */
function joinWords(words: readonly string[]): string {
  return words.join(' ')
}

/** The first words of the turn, as the source shows them now. */
export function firstWordsOfTurn({ firstWords, finalWords, pending }: CaptionTurn): string[] {
  return finalWords === '' && pending !== ''
    ? firstWordsOf(pending)
    : splitSpaceSeparatedWords(firstWords)
}

function splitSpaceSeparatedWords(words: string): string[] {
  return words === '' ? [] : words.split(' ')
}

function firstWordsOf(text: string): string[] {
  return extractWordKeys(text.slice(0, HEAD_CHARS)).slice(0, HEAD_WORDS)
}

function isAnchorInPlace(turn: CaptionTurn, raw: string, anchor: string): boolean {
  const { finalChars } = turn
  if (!raw.startsWith(anchor, finalChars - anchor.length)) return false
  return turn.isMidWord || !isPositionInsideWord(raw, finalChars)
}

/** Finds the end of the final text in `raw` by comparing words, because the characters before it have changed. */
function realign(
  turn: CaptionTurn,
  raw: string,
  isShrunk: boolean,
  matching: TextMatching,
): RowTextMatch {
  const { shown, from } = wordsAround(turn, raw, Math.min(turn.finalChars, raw.length), matching)
  const finalWords = splitSpaceSeparatedWords(turn.finalWords)
  const isCut = from > 0 || !turn.isPositionKnown || finalWords.length === MAX_FINAL_WORDS
  const { matchedCount, score, isComplete } = scoreEmittedWordsMatch(finalWords, shown, isCut)
  if (score < (isShrunk ? MIN_MATCHING_WORDS * 2 : 1)) return { kind: 'different' }
  const finalChars = from + (shown[matchedCount - 1]?.end ?? 0)
  const anchor = isComplete ? raw.slice(Math.max(0, finalChars - ANCHOR_CHARS), finalChars) : null
  const match = { kind: 'matched', pending: raw.slice(finalChars), finalChars, anchor } as const
  if (!isShrunk && turn.isPositionKnown) return match
  return {
    ...match,
    begin: {
      firstWords: joinWords(firstWordsOf(raw)),
      finalWords: joinWords(finalWords.slice(-matchedCount)),
    },
  }
}

/** The words of the row text `raw` near `position`, or all words if the turn's place in `raw` is unknown. */
function wordsAround(
  turn: CaptionTurn,
  raw: string,
  position: number,
  matching: TextMatching,
): { shown: TextWord[]; from: number } {
  const from = turn.isPositionKnown ? Math.max(0, position - WINDOW_CHARS) : 0
  const window = turn.isPositionKnown ? raw.slice(from, position + WINDOW_CHARS) : raw
  matching.countCharacters(window.length)
  return { shown: splitWords(window), from }
}

/** True if `after` can be a rewrite of `before`. The source rewrites only the last characters of a text. */
function isRewrite(before: string, after: string, matching: TextMatching): boolean {
  const stableChars = before.length - matching.rules.rewritableChars
  if (stableChars <= 0) return true
  matching.countCharacters(before.length)
  if (commonPrefixLength(before, after) >= stableChars) return true
  const stableWords = extractWordKeys(before.slice(0, stableChars)).slice(-MAX_FINAL_WORDS)
  const shown = splitWords(after.slice(0, stableChars + WINDOW_CHARS))
  // One similar word proves little: other texts have it too. If there are few words, the last may be cut.
  const neededScore = stableWords.length < MIN_MATCHING_WORDS ? 1 : MIN_MATCHING_WORDS
  return scoreEmittedWordsMatch(stableWords, shown, true).score >= neededScore
}
