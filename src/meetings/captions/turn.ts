import { crc32 } from 'node:zlib'
import { alignWords } from '../../lib/text/align-words.ts'
import {
  commonPrefixLength,
  createTextTimeline,
  dropStart,
  recordChange,
  type TextTimeline,
} from './text-timeline.ts'
import {
  isWordPrefix,
  isWithinWord,
  wordKeys,
  splitWords,
  type TextWord,
} from '../../lib/text/split-words.ts'
import type { SegmentRules } from './segment-rules.ts'

/** One line of a speaker as the source shows it: how much of it is final, and the text behind that. */
export type CaptionTurn = {
  /** The id under which it was first seen; segments carry it. */
  captionId: string
  /** Every id it was seen under, with a mark of the text last seen there. */
  rowHashes: Map<string, number>
  /** The row that drives the text when twins show the same line. */
  leadRowId: string
  speaker: string
  /** Has versions, so the source can be trusted to mark the last one. */
  isVersioned: boolean
  version: number
  isClosed: boolean
  /** Not final yet, as the source spells it. */
  pending: string
  /** Characters of the source's text in front of `pending`. */
  finalChars: number
  /** The last words that are final, packed: hundreds of turns are remembered. Never rewritten, only added to. */
  finalWords: string
  /** The source's last characters in front of `pending`; null while it does not show all that is final. */
  anchor: string | null
  /** A word without end was cut there. */
  isMidWord: boolean
  /** False after a restart, until it is known where the final words stand in the source's text. */
  isPositionKnown: boolean
  /** The words it began with, packed. */
  firstWords: string
  timeline: TextTimeline
  changedAt: number
  startedAt: number
  followedAt: number | null
  vanishedAt: number | null
  /** The partial last given out. */
  lastPartial: string
}

/** The text now begins later than it did: its first words, and the final ones among those it shows. */
type NewBeginning = Pick<CaptionTurn, 'firstWords' | 'finalWords'>

export type TextMatch =
  | {
      kind: 'matched'
      pending: string
      finalChars: number
      anchor: string | null
      begin?: NewBeginning
    }
  /** Less than was shown before: a row being drawn again, or an old twin. */
  | { kind: 'earlier' }
  /** Not this text at all: the source has begun anew. */
  | { kind: 'different' }

/** Counts the characters looked at. */
export type CountCharacters = (characters: number) => void

const ANCHOR_CHARS = 64
const MAX_FINAL_WORDS = 60
const HEAD_CHARS = 120
const HEAD_WORDS = 12
/** How far around the end of the final text the words are compared. */
const WINDOW_CHARS = 400
/** A text that shrank must show so many final words to count as the same text. */
const MIN_MATCHING_WORDS = 4
/** So many last words must be there for a row to show all of a turn. */
const COVER_WORDS = 30
/** Points per word for two texts to be the same line: four words of five. */
const MIN_POINTS_PER_WORD = 1.6

export function createTurn(captionId: string, speaker: string, at: number): CaptionTurn {
  return {
    captionId,
    rowHashes: new Map(),
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
    startedAt: at,
    followedAt: null,
    vanishedAt: null,
    lastPartial: '',
  }
}

export function shownLength(turn: CaptionTurn): number {
  return turn.finalChars + turn.pending.length
}

/** What `raw`, the whole text now, means for this turn. Looks at its end only, however long it is. */
export function matchText(
  turn: CaptionTurn,
  raw: string,
  rules: SegmentRules,
  measure: CountCharacters,
): TextMatch {
  const isShrunk = raw.length < shownLength(turn) - rules.restartChars
  if ((isShrunk || raw.length < turn.finalChars) && isEarlierText(turn, raw, measure)) {
    return { kind: 'earlier' }
  }
  if (isShrunk && turn.finalWords === '') return { kind: 'different' }
  measure(ANCHOR_CHARS)
  const { anchor, finalChars } = turn
  const isAnchored = !isShrunk && anchor !== null && isAnchorInPlace(turn, raw, anchor)
  if (!isAnchored) return realign(turn, raw, isShrunk, measure)
  const pending = raw.slice(finalChars)
  const isSame = isRewrite(turn.pending, pending, rules, measure)
  return isSame ? { kind: 'matched', pending, finalChars, anchor } : { kind: 'different' }
}

/** Takes a reading over. True when the text changed. */
export function applyMatch(
  turn: CaptionTurn,
  reading: TextMatch & { kind: 'matched' },
  at: number,
): boolean {
  const pending = reading.pending.trimEnd()
  turn.anchor = reading.anchor
  turn.finalChars = reading.finalChars
  turn.isPositionKnown = true
  Object.assign(turn, reading.begin)
  if (pending === turn.pending) return false
  recordChange(turn.timeline, turn.pending, pending, at)
  turn.pending = pending
  turn.changedAt = at
  if (turn.finalWords === '') turn.firstWords = joinWords(firstWordsOf(pending))
  return true
}

/** Makes the first `end` characters of the pending text final and returns them. */
export function finalise(turn: CaptionTurn, end: number): string {
  const piece = turn.pending.slice(0, end)
  const words = wordKeys(piece.slice(-2 * WINDOW_CHARS))
  turn.finalWords = joinWords(
    [...splitJoinedWords(turn.finalWords), ...words].slice(-MAX_FINAL_WORDS),
  )
  turn.anchor = `${turn.anchor ?? ''}${piece.slice(-ANCHOR_CHARS)}`.slice(-ANCHOR_CHARS)
  turn.isMidWord = isWithinWord(turn.pending, end)
  turn.finalChars += end
  turn.pending = turn.pending.slice(end)
  dropStart(turn.timeline, end)
  turn.lastPartial = ''
  return piece
}

/** Before a restart this was final already; where it stands in the source's text is not known. */
export function restoreFinalText(turn: CaptionTurn, text: string, at: number): void {
  turn.finalWords = joinWords(
    [...splitJoinedWords(turn.finalWords), ...wordKeys(text)].slice(-MAX_FINAL_WORDS),
  )
  turn.anchor = null
  turn.isPositionKnown = false
  turn.startedAt = -Infinity
  turn.vanishedAt = at
}

/** The last words of all it has shown. */
export function lastWordsOf(turn: CaptionTurn): string[] {
  return [
    ...splitJoinedWords(turn.finalWords),
    ...wordKeys(turn.pending.slice(-WINDOW_CHARS)),
  ].slice(-MAX_FINAL_WORDS)
}

/** Whether `raw` shows everything this turn has shown, perhaps with more behind it. */
export function isContainedIn(turn: CaptionTurn, raw: string, measure: CountCharacters): boolean {
  const tail = lastWordsOf(turn)
  const said = tail.slice(-COVER_WORDS)
  const { shown, from } = wordsAround(turn, raw, shownLength(turn), measure)
  const { score, isComplete } = alignWords(
    said,
    shown,
    from > 0 || !turn.isPositionKnown || tail.length > COVER_WORDS,
  )
  return isComplete && score >= said.length * MIN_POINTS_PER_WORD
}

/** Whether `raw` is how this turn began: less than it has shown by now. */
export function isEarlierText(turn: CaptionTurn, raw: string, measure: CountCharacters): boolean {
  measure(Math.min(raw.length, HEAD_CHARS))
  return (
    raw.length <= shownLength(turn) &&
    isWordPrefix(firstWordsOf(raw), splitJoinedWords(turn.firstWords))
  )
}

/** Whether this turn is, word for word, how `raw` begins. */
export function isPrefixOf(turn: CaptionTurn, raw: string): boolean {
  return shownLength(turn) < HEAD_CHARS && isWordPrefix(lastWordsOf(turn), firstWordsOf(raw))
}

/** Whether the words of `raw` are among the first of this turn, none of them cut short. */
export function endsOnWholeWord(turn: CaptionTurn, raw: string): boolean {
  const words = firstWordsOf(raw)
  return words.at(-1) === splitJoinedWords(turn.firstWords)[words.length - 1]
}

/** Enough of a text to tell whether a row has changed. */
export function hashRowText(raw: string): number {
  return crc32(raw.slice(-WINDOW_CHARS), raw.length)
}

/** Words have no space in them. One flat text takes a tenth of what a list of words takes. */
function joinWords(words: readonly string[]): string {
  return words.join(' ')
}

export function splitJoinedWords(words: string): string[] {
  return words === '' ? [] : words.split(' ')
}

function firstWordsOf(text: string): string[] {
  return wordKeys(text.slice(0, HEAD_CHARS)).slice(0, HEAD_WORDS)
}

function isAnchorInPlace(turn: CaptionTurn, raw: string, anchor: string): boolean {
  const { finalChars } = turn
  if (!raw.startsWith(anchor, finalChars - anchor.length)) return false
  return turn.isMidWord || !isWithinWord(raw, finalChars)
}

function realign(
  turn: CaptionTurn,
  raw: string,
  isShrunk: boolean,
  measure: CountCharacters,
): TextMatch {
  const { shown, from } = wordsAround(turn, raw, Math.min(turn.finalChars, raw.length), measure)
  const said = splitJoinedWords(turn.finalWords)
  const isCut = from > 0 || !turn.isPositionKnown || said.length === MAX_FINAL_WORDS
  const { matchedCount, score, isComplete } = alignWords(said, shown, isCut)
  if (score < (isShrunk ? MIN_MATCHING_WORDS * 2 : 1)) return { kind: 'different' }
  const finalChars = from + (shown[matchedCount - 1]?.end ?? 0)
  const anchor = isComplete ? raw.slice(Math.max(0, finalChars - ANCHOR_CHARS), finalChars) : null
  const reading = { kind: 'matched', pending: raw.slice(finalChars), finalChars, anchor } as const
  if (!isShrunk && turn.isPositionKnown) return reading
  return {
    ...reading,
    begin: {
      firstWords: joinWords(firstWordsOf(raw)),
      finalWords: joinWords(said.slice(-matchedCount)),
    },
  }
}

/** The words of `raw` about a position, or all of them when the position is not known. */
function wordsAround(
  turn: CaptionTurn,
  raw: string,
  position: number,
  measure: CountCharacters,
): { shown: TextWord[]; from: number } {
  const from = turn.isPositionKnown ? Math.max(0, position - WINDOW_CHARS) : 0
  const window = turn.isPositionKnown ? raw.slice(from, position + WINDOW_CHARS) : raw
  measure(window.length)
  return { shown: splitWords(window), from }
}

/** Whether the text before can have been rewritten into the text after: only its end is ever rewritten. */
function isRewrite(
  before: string,
  after: string,
  rules: SegmentRules,
  measure: CountCharacters,
): boolean {
  const settled = before.length - rules.rewritableChars
  if (settled <= 0) return true
  measure(before.length)
  if (commonPrefixLength(before, after) >= settled) return true
  const window = splitWords(after.slice(0, settled + WINDOW_CHARS))
  return (
    alignWords(wordKeys(before.slice(0, settled)).slice(-MAX_FINAL_WORDS), window, true).score > 0
  )
}
