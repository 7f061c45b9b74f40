import { UNKNOWN_SPEAKER } from '../../sanitize/person-names.ts'
import { isPageNotice, removeIconNames } from '../text/page-notices.ts'
import { splitLongText } from '../text/sentence-cuts.ts'
import { cleanText, hasMoreThanPunctuation } from '../../sanitize/text.ts'
import { findAppearanceTime } from '../text/text-timeline.ts'
import { markPendingTextFinal, type CountComparedCharacters, type CaptionTurn } from './turn.ts'
import type { SegmentRules } from '../segment-rules.ts'

/** A piece of a transcript: final text of one speaker, which never changes. */
export type CaptionSegment = {
  captionId: string
  speaker: string
  text: string
  /** When the speaker began this text, in milliseconds. */
  startedAt: number
  /** The text was recognized from speech, not read from captions. */
  isFromSpeech?: boolean
  /** Words before or in it are missing. */
  isIncomplete?: boolean
}

/** The pending text of a caption: text that may still change and is in no segment yet. */
export type PartialSegment = CaptionSegment

/** What one call of the segmenter produced: new segments in order, and the pending text of each changed caption. */
export type SegmenterOutput = { segments: CaptionSegment[]; partials: PartialSegment[] }

/** Punctuation that the source added after the words in front of it had become final. */
const LEADING_PUNCTUATION = /^[\s.,;:!?…。，、)\]”’»]+/u

/**
 * Makes the first `end` characters of a turn's pending text final and returns them as segments: none if they contain no
 * speech, several if they are long.
 */
export function finalizePendingText(
  turn: CaptionTurn,
  end: number,
  rules: SegmentRules,
  countCharacters: CountComparedCharacters,
): CaptionSegment[] {
  const isWhole = turn.finalWords === '' && end === turn.pending.length
  const { timeline } = turn
  const starts: number[] = []
  const pieces = splitLongText(turn.pending.slice(0, end), rules)
  pieces.reduce((offset, piece) => {
    starts.push(findAppearanceTime(timeline, offset + (piece.length - piece.trimStart().length)))
    return offset + piece.length
  }, 0)
  const hasFinalText = turn.finalWords !== ''
  markPendingTextFinal(turn, end)
  countCharacters(end)
  return pieces
    .map((piece, i): CaptionSegment => ({
      captionId: turn.captionId,
      speaker: turn.speaker || UNKNOWN_SPEAKER,
      text: toSpokenText(piece, hasFinalText || i > 0),
      startedAt: starts[i] ?? turn.startedAt,
      ...(turn.isFromSpeech && { isFromSpeech: true }),
      ...(turn.isIncomplete && i === 0 && { isIncomplete: true }),
    }))
    .filter(({ text }) => text !== '' && !(isWhole && isPageNotice(text)))
}

/** Returns the pending text of a turn if it differs from the partial that this function returned last, else null. */
export function takeChangedPartial(
  turn: CaptionTurn,
  countCharacters: CountComparedCharacters,
): PartialSegment | null {
  countCharacters(turn.pending.length)
  const text = toSpokenText(turn.pending, turn.finalWords !== '')
  if (text === turn.lastPartial) return null
  turn.lastPartial = text
  if (text === '' || (turn.finalWords === '' && isPageNotice(text))) return null
  return {
    captionId: turn.captionId,
    speaker: turn.speaker || UNKNOWN_SPEAKER,
    text,
    startedAt: findAppearanceTime(
      turn.timeline,
      turn.pending.length - turn.pending.trimStart().length,
    ),
  }
}

function toSpokenText(raw: string, isLaterPart: boolean): string {
  const clean = removeIconNames(cleanText(raw))
  const text = isLaterPart ? clean.replace(LEADING_PUNCTUATION, '') : clean
  return hasMoreThanPunctuation(text) ? text : ''
}
