import { cleanText, hasMoreThanPunctuation } from '../../../language/clean-text.ts'
import { UNKNOWN_SPEAKER } from '../../../language/person-names.ts'
import { splitLongText } from '../segment-rules.ts'
import { findAppearanceTime } from '../text-timeline.ts'
import { markPendingTextFinal, type CaptionTurn, type TextMatching } from './turn.ts'

/** A piece of a transcript: final text of one speaker, which never changes. */
export type CaptionSegment = {
  captionId: string
  speaker: string
  text: string
  /** When the speaker began this text, in milliseconds. */
  startedAt: number
  /** The text was recognized from speech instead of read from captions. */
  isFromSpeech?: boolean
  /** Words before or inside the text are missing. */
  isIncomplete?: boolean
}

/** The output of one call: new segments in order, and the pending text of each changed caption, in the same shape. */
export type SegmenterOutput = { segments: CaptionSegment[]; partials: CaptionSegment[] }

/** Punctuation that the source added after the preceding words had become final. */
const LEADING_PUNCTUATION = /^[\s.,;:!?…。，、)\]”’»]+/u

/** Icon names that appear in the page text. They contain an underscore, so they cannot be speech. */
const ICON_NAMES = new Set([
  'arrow_downward',
  'arrow_upward',
  'call_end',
  'closed_caption',
  'closed_caption_off',
  'closed_caption_disabled',
  'computer_arrow_up',
  'content_copy',
  'domain_disabled',
  'expand_less',
  'expand_more',
  'frame_person',
  'front_hand',
  'keep_off',
  'keep_outline',
  'keyboard_arrow_down',
  'keyboard_arrow_up',
  'lock_person',
  'mic_none',
  'mic_off',
  'more_horiz',
  'more_vert',
  'present_to_all',
  'screen_share',
  'settings_voice',
  'stop_screen_share',
  'videocam_off',
  'visual_effects',
  'volume_off',
  'volume_up',
])

/** Texts of the page that are never the whole caption of a person. */
const PAGE_WORDS: readonly RegExp[] = [
  /^jump to (?:the )?(?:bottom|most recent captions?)\.?$/i,
  /^your (?:microphone|camera|mic) is (?:on|off|muted|unmuted)\.?$/i,
  /^(?:live )?captions? (?:are|is|have been|has been)?\s*(?:turned )?(?:on|off)\.?$/i,
  /^(?:backgrounds and effects|more options|caption settings|open caption settings)$/i,
  /^you (?:have )?(?:joined|left) the (?:call|meeting)\.?$/i,
]

/** Announcements of the page. A person can say the same words, but such a caption ends with a full stop. */
const ANNOUNCEMENTS: readonly RegExp[] = [
  /^.{1,200} (?:has |have )?(?:joined|left)(?: the (?:call|meeting))?$/i,
  /^.{1,200} (?:is|are) (?:now )?presenting$/i,
  /^.{1,200} (?:started|stopped) (?:recording|presenting)$/i,
]

const NOTICES = [...PAGE_WORDS, ...ANNOUNCEMENTS]
/** Every notice ends in one of these words. Checking the ending first is cheap and excludes most speech. */
const NOTICE_ENDING =
  /(?:bottom|captions?|on|off|muted|unmuted|effects|options|settings|call|meeting|joined|left|presenting|recording)\.?$/i

const MAX_NOTICE_CHARS = 300

/**
 * Makes the first `end` characters of a turn's pending text final and returns their segments: none if they contain no
 * speech, several if they are long.
 */
export function finalizePendingText(
  turn: CaptionTurn,
  end: number,
  matching: TextMatching,
): CaptionSegment[] {
  const isWhole = turn.finalWords === '' && end === turn.pending.length
  const { timeline } = turn
  const starts: number[] = []
  const pieces = splitLongText(turn.pending.slice(0, end), matching.rules)
  pieces.reduce((offset, piece) => {
    starts.push(findAppearanceTime(timeline, offset + (piece.length - piece.trimStart().length)))
    return offset + piece.length
  }, 0)
  const hasFinalText = turn.finalWords !== ''
  markPendingTextFinal(turn, end)
  matching.countCharacters(end)
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

/** Returns the pending text of a turn if it differs from the last partial that this function returned, else null. */
export function takeChangedPartial(
  turn: CaptionTurn,
  matching: TextMatching,
): CaptionSegment | null {
  matching.countCharacters(turn.pending.length)
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

export function removeIconNames(text: string): string {
  if (!text.includes('_')) return text
  return text
    .split(' ')
    .filter((word) => !ICON_NAMES.has(word))
    .join(' ')
}

/** True if a whole caption is a notice of the page instead of speech. */
export function isPageNotice(text: string): boolean {
  if (text.length > MAX_NOTICE_CHARS || !NOTICE_ENDING.test(text)) return false
  return NOTICES.some((pattern) => pattern.test(text))
}
