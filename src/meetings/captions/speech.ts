import { UNKNOWN_SPEAKER } from './names.ts'
import { isNotice, withoutLigatures } from './notices.ts'
import { pieces } from './sentences.ts'
import { cleanText, hasSpeech } from './text.ts'
import { bornAt } from './timeline.ts'
import { finalise, type Measure, type Turn } from './turn.ts'
import type { SegmentRules } from './rules.ts'

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
export type Said = { segments: Segment[]; partials: PartialSegment[] }

/** What is left of a full stop or a comma that came after its sentence was final. */
const LEFTOVER = /^[\s.,;:!?…。，、)\]”’»]+/u

/** Makes the first `end` characters of the pending text final: none, one or several segments. */
export function speak(turn: Turn, end: number, rules: SegmentRules, measure: Measure): Segment[] {
  const isWhole = turn.said === '' && end === turn.pending.length
  const { timeline } = turn
  const starts: number[] = []
  const cut = pieces(turn.pending.slice(0, end), rules)
  cut.reduce((offset, piece) => {
    starts.push(bornAt(timeline, offset + (piece.length - piece.trimStart().length)))
    return offset + piece.length
  }, 0)
  const hasSaid = turn.said !== ''
  finalise(turn, end)
  measure(end)
  return cut
    .map((piece, i) => ({
      captionId: turn.captionId,
      speaker: turn.speaker || UNKNOWN_SPEAKER,
      text: spoken(piece, hasSaid || i > 0),
      startedAt: starts[i] ?? turn.startedAt,
    }))
    .filter(({ text }) => text !== '' && !(isWhole && isNotice(text)))
}

/** The evolving text of a turn when it differs from the one given out last, otherwise null. */
export function partialOf(turn: Turn, measure: Measure): PartialSegment | null {
  measure(turn.pending.length)
  const text = spoken(turn.pending, turn.said !== '')
  if (text === turn.shown) return null
  turn.shown = text
  if (text === '' || (turn.said === '' && isNotice(text))) return null
  return {
    captionId: turn.captionId,
    speaker: turn.speaker || UNKNOWN_SPEAKER,
    text,
    startedAt: bornAt(turn.timeline, turn.pending.length - turn.pending.trimStart().length),
  }
}

function spoken(raw: string, isLaterPart: boolean): string {
  const clean = withoutLigatures(cleanText(raw))
  const text = isLaterPart ? clean.replace(LEFTOVER, '') : clean
  return hasSpeech(text) ? text : ''
}
