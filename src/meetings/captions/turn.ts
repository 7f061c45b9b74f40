import { crc32 } from 'node:zlib'
import { align } from '../../lib/align.ts'
import { commonStart, createTimeline, dropStart, noteChange, type Timeline } from './timeline.ts'
import { isBeginning, isWithinWord, keysOf, wordsOf, type Word } from '../../lib/words.ts'
import type { SegmentRules } from './rules.ts'

/** One line of a speaker as the source shows it: how much of it is final, and the text behind that. */
export type Turn = {
  /** The id under which it was first seen; segments carry it. */
  captionId: string
  /** Every id it was seen under, with a mark of the text last seen there. */
  rows: Map<string, number>
  /** The row that drives the text when twins show the same line. */
  leadId: string
  speaker: string
  /** Has versions, so the source can be trusted to mark the last one. */
  isWire: boolean
  version: number
  isClosed: boolean
  /** Not final yet, as the source spells it. */
  pending: string
  /** Characters of the source's text in front of `pending`. */
  finalChars: number
  /** The last words that are final, packed: hundreds of turns are remembered. Never rewritten, only added to. */
  said: string
  /** The source's last characters in front of `pending`; null while it does not show all that is final. */
  anchor: string | null
  /** A word without end was cut there. */
  isMidWord: boolean
  /** False after a restart, until it is known where the final words stand in the source's text. */
  isPlaced: boolean
  /** The words it began with, packed. */
  head: string
  timeline: Timeline
  changedAt: number
  startedAt: number
  handedOverAt: number | null
  goneAt: number | null
  /** The partial last given out. */
  shown: string
}

/** The text now begins later than it did: its first words, and the final ones among those it shows. */
type Beginning = Pick<Turn, 'head' | 'said'>

export type Reading =
  | { is: 'read'; pending: string; finalChars: number; anchor: string | null; begin?: Beginning }
  /** Less than was shown before: a row being drawn again, or an old twin. */
  | { is: 'earlier' }
  /** Not this text at all: the source has begun anew. */
  | { is: 'other' }

/** Counts the characters looked at. */
export type Measure = (characters: number) => void

const ANCHOR_CHARS = 64
const SAID_WORDS = 60
const HEAD_CHARS = 120
const HEAD_WORDS = 12
/** How far around the end of the final text the words are compared. */
const WINDOW_CHARS = 400
/** A text that shrank must show so many final words to count as the same text. */
const KEPT_WORDS = 4
/** So many last words must be there for a row to show all of a turn. */
const COVER_WORDS = 30
/** Points per word for two texts to be the same line: four words of five. */
const ENOUGH_POINTS = 1.6

export function createTurn(captionId: string, speaker: string, at: number): Turn {
  return {
    captionId,
    rows: new Map(),
    leadId: captionId,
    speaker,
    isWire: false,
    version: Number.NEGATIVE_INFINITY,
    isClosed: false,
    pending: '',
    finalChars: 0,
    said: '',
    anchor: '',
    isMidWord: false,
    isPlaced: true,
    head: '',
    timeline: createTimeline(),
    changedAt: at,
    startedAt: at,
    handedOverAt: null,
    goneAt: null,
    shown: '',
  }
}

export function lengthOf(turn: Turn): number {
  return turn.finalChars + turn.pending.length
}

/** What `raw`, the whole text now, means for this turn. Looks at its end only, however long it is. */
export function read(turn: Turn, raw: string, rules: SegmentRules, measure: Measure): Reading {
  const isShrunk = raw.length < lengthOf(turn) - rules.restartChars
  if ((isShrunk || raw.length < turn.finalChars) && isEarlier(turn, raw, measure)) {
    return { is: 'earlier' }
  }
  if (isShrunk && turn.said === '') return { is: 'other' }
  measure(ANCHOR_CHARS)
  const { anchor, finalChars } = turn
  const isAnchored = !isShrunk && anchor !== null && isInPlace(turn, raw, anchor)
  if (!isAnchored) return realign(turn, raw, isShrunk, measure)
  const pending = raw.slice(finalChars)
  const isSame = isRewrite(turn.pending, pending, rules, measure)
  return isSame ? { is: 'read', pending, finalChars, anchor } : { is: 'other' }
}

/** Takes a reading over. True when the text changed. */
export function apply(turn: Turn, reading: Reading & { is: 'read' }, at: number): boolean {
  const pending = reading.pending.trimEnd()
  turn.anchor = reading.anchor
  turn.finalChars = reading.finalChars
  turn.isPlaced = true
  Object.assign(turn, reading.begin)
  if (pending === turn.pending) return false
  noteChange(turn.timeline, turn.pending, pending, at)
  turn.pending = pending
  turn.changedAt = at
  if (turn.said === '') turn.head = pack(headOf(pending))
  return true
}

/** Makes the first `end` characters of the pending text final and returns them. */
export function finalise(turn: Turn, end: number): string {
  const piece = turn.pending.slice(0, end)
  const words = keysOf(piece.slice(-2 * WINDOW_CHARS))
  turn.said = pack([...unpack(turn.said), ...words].slice(-SAID_WORDS))
  turn.anchor = `${turn.anchor ?? ''}${piece.slice(-ANCHOR_CHARS)}`.slice(-ANCHOR_CHARS)
  turn.isMidWord = isWithinWord(turn.pending, end)
  turn.finalChars += end
  turn.pending = turn.pending.slice(end)
  dropStart(turn.timeline, end)
  turn.shown = ''
  return piece
}

/** Before a restart this was final already; where it stands in the source's text is not known. */
export function remind(turn: Turn, text: string, at: number): void {
  turn.said = pack([...unpack(turn.said), ...keysOf(text)].slice(-SAID_WORDS))
  turn.anchor = null
  turn.isPlaced = false
  turn.startedAt = -Infinity
  turn.goneAt = at
}

/** The last words of all it has shown. */
export function tailOf(turn: Turn): string[] {
  return [...unpack(turn.said), ...keysOf(turn.pending.slice(-WINDOW_CHARS))].slice(-SAID_WORDS)
}

/** Whether `raw` shows everything this turn has shown, perhaps with more behind it. */
export function isCoveredBy(turn: Turn, raw: string, measure: Measure): boolean {
  const tail = tailOf(turn)
  const said = tail.slice(-COVER_WORDS)
  const { shown, from } = around(turn, raw, lengthOf(turn), measure)
  const { score, isComplete } = align(
    said,
    shown,
    from > 0 || !turn.isPlaced || tail.length > COVER_WORDS,
  )
  return isComplete && score >= said.length * ENOUGH_POINTS
}

/** Whether `raw` is how this turn began: less than it has shown by now. */
export function isEarlier(turn: Turn, raw: string, measure: Measure): boolean {
  measure(Math.min(raw.length, HEAD_CHARS))
  return raw.length <= lengthOf(turn) && isBeginning(headOf(raw), unpack(turn.head))
}

/** Whether this turn is, word for word, how `raw` begins. */
export function isSeedOf(turn: Turn, raw: string): boolean {
  return lengthOf(turn) < HEAD_CHARS && isBeginning(tailOf(turn), headOf(raw))
}

/** Whether the words of `raw` are among the first of this turn, none of them cut short. */
export function hasWholeWords(turn: Turn, raw: string): boolean {
  const words = headOf(raw)
  return words.at(-1) === unpack(turn.head)[words.length - 1]
}

/** Enough of a text to tell whether a row has changed. */
export function markOf(raw: string): number {
  return crc32(raw.slice(-WINDOW_CHARS), raw.length)
}

/** Words have no space in them. One flat text takes a tenth of what a list of words takes. */
function pack(words: readonly string[]): string {
  return words.join(' ')
}

export function unpack(words: string): string[] {
  return words === '' ? [] : words.split(' ')
}

function headOf(text: string): string[] {
  return keysOf(text.slice(0, HEAD_CHARS)).slice(0, HEAD_WORDS)
}

function isInPlace(turn: Turn, raw: string, anchor: string): boolean {
  const { finalChars } = turn
  if (!raw.startsWith(anchor, finalChars - anchor.length)) return false
  return turn.isMidWord || !isWithinWord(raw, finalChars)
}

function realign(turn: Turn, raw: string, isShrunk: boolean, measure: Measure): Reading {
  const { shown, from } = around(turn, raw, Math.min(turn.finalChars, raw.length), measure)
  const said = unpack(turn.said)
  const isCut = from > 0 || !turn.isPlaced || said.length === SAID_WORDS
  const { taken, score, isComplete } = align(said, shown, isCut)
  if (score < (isShrunk ? KEPT_WORDS * 2 : 1)) return { is: 'other' }
  const finalChars = from + (shown[taken - 1]?.end ?? 0)
  const anchor = isComplete ? raw.slice(Math.max(0, finalChars - ANCHOR_CHARS), finalChars) : null
  const reading = { is: 'read', pending: raw.slice(finalChars), finalChars, anchor } as const
  if (!isShrunk && turn.isPlaced) return reading
  return { ...reading, begin: { head: pack(headOf(raw)), said: pack(said.slice(-taken)) } }
}

/** The words of `raw` about a position, or all of them when the position is not known. */
function around(
  turn: Turn,
  raw: string,
  position: number,
  measure: Measure,
): { shown: Word[]; from: number } {
  const from = turn.isPlaced ? Math.max(0, position - WINDOW_CHARS) : 0
  const window = turn.isPlaced ? raw.slice(from, position + WINDOW_CHARS) : raw
  measure(window.length)
  return { shown: wordsOf(window), from }
}

/** Whether the text before can have been rewritten into the text after: only its end is ever rewritten. */
function isRewrite(before: string, after: string, rules: SegmentRules, measure: Measure): boolean {
  const settled = before.length - rules.unsafeChars
  if (settled <= 0) return true
  measure(before.length)
  if (commonStart(before, after) >= settled) return true
  const window = wordsOf(after.slice(0, settled + WINDOW_CHARS))
  return align(keysOf(before.slice(0, settled)).slice(-SAID_WORDS), window, true).score > 0
}
