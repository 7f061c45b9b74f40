import { UNKNOWN_SPEAKER } from '../sanitize/person-names.ts'
import { isPageNotice, removeIconNames } from './page-notices.ts'
import { splitLongText } from './sentence-cuts.ts'
import { cleanText, hasSpeech } from '../sanitize/text.ts'
import { appearedAt } from './text-timeline.ts'
import { finalise, type CountCharacters, type CaptionTurn } from './turn.ts'
import type { SegmentRules } from './segment-rules.ts'

/** Text of one speaker that will not change any more. */
export type Segment = {
  captionId: string
  speaker: string
  text: string
  /** When the speaker began this text, in milliseconds. */
  startedAt: number
}

/** The same shape for text that is still evolving: only what no segment holds yet. */
export type PartialSegment = Segment

/** What one step brought, in order. Segments are final for ever; a partial is all of its caption that is not. */
export type SegmenterOutput = { segments: Segment[]; partials: PartialSegment[] }

/** What is left of a full stop or a comma that came after its sentence was final. */
const LEADING_PUNCTUATION = /^[\s.,;:!?…。，、)\]”’»]+/u

/** Makes the first `end` characters of the pending text final: none, one or several segments. */
export function finalizeText(
  turn: CaptionTurn,
  end: number,
  rules: SegmentRules,
  measure: CountCharacters,
): Segment[] {
  const isWhole = turn.finalWords === '' && end === turn.pending.length
  const { timeline } = turn
  const starts: number[] = []
  const cut = splitLongText(turn.pending.slice(0, end), rules)
  cut.reduce((offset, piece) => {
    starts.push(appearedAt(timeline, offset + (piece.length - piece.trimStart().length)))
    return offset + piece.length
  }, 0)
  const hasSaid = turn.finalWords !== ''
  finalise(turn, end)
  measure(end)
  return cut
    .map((piece, i) => ({
      captionId: turn.captionId,
      speaker: turn.speaker || UNKNOWN_SPEAKER,
      text: toSpokenText(piece, hasSaid || i > 0),
      startedAt: starts[i] ?? turn.startedAt,
    }))
    .filter(({ text }) => text !== '' && !(isWhole && isPageNotice(text)))
}

/** The evolving text of a turn when it differs from the one given out last, otherwise null. */
export function nextPartial(turn: CaptionTurn, measure: CountCharacters): PartialSegment | null {
  measure(turn.pending.length)
  const text = toSpokenText(turn.pending, turn.finalWords !== '')
  if (text === turn.lastPartial) return null
  turn.lastPartial = text
  if (text === '' || (turn.finalWords === '' && isPageNotice(text))) return null
  return {
    captionId: turn.captionId,
    speaker: turn.speaker || UNKNOWN_SPEAKER,
    text,
    startedAt: appearedAt(turn.timeline, turn.pending.length - turn.pending.trimStart().length),
  }
}

function toSpokenText(raw: string, isLaterPart: boolean): string {
  const clean = removeIconNames(cleanText(raw))
  const text = isLaterPart ? clean.replace(LEADING_PUNCTUATION, '') : clean
  return hasSpeech(text) ? text : ''
}
