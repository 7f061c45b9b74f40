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

/** Texts of the page itself that are never the whole caption of a person. */
const PAGE_WORDS: readonly RegExp[] = [
  /^jump to (?:the )?(?:bottom|most recent captions?)\.?$/i,
  /^your (?:microphone|camera|mic) is (?:on|off|muted|unmuted)\.?$/i,
  /^(?:live )?captions? (?:are|is|have been|has been)?\s*(?:turned )?(?:on|off)\.?$/i,
  /^(?:backgrounds and effects|more options|caption settings|open caption settings)$/i,
  /^you (?:have )?(?:joined|left) the (?:call|meeting)\.?$/i,
]

/** Announcements of the page. A person can say the same words, but then the caption ends with a full stop. */
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

export function removeIconNames(text: string): string {
  if (!text.includes('_')) return text
  return text
    .split(' ')
    .filter((word) => !ICON_NAMES.has(word))
    .join(' ')
}

/** Whether a whole caption is a notice of the page and not speech. */
export function isPageNotice(text: string): boolean {
  if (text.length > MAX_NOTICE_CHARS || !NOTICE_ENDING.test(text)) return false
  return NOTICES.some((pattern) => pattern.test(text))
}
