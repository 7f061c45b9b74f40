/** Names of icons that leak into the text of a page. Nobody speaks an underscore. */
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

/** Words of the page itself; nobody says exactly these as a whole caption. */
const PAGE_WORDS: readonly RegExp[] = [
  /^jump to (?:the )?(?:bottom|most recent captions?)\.?$/i,
  /^your (?:microphone|camera|mic) is (?:on|off|muted|unmuted)\.?$/i,
  /^(?:live )?captions? (?:are|is|have been|has been)?\s*(?:turned )?(?:on|off)\.?$/i,
  /^(?:backgrounds and effects|more options|caption settings|open caption settings)$/i,
  /^you (?:have )?(?:joined|left) the (?:call|meeting)\.?$/i,
]

/** Could be said by a person too, but then the source ends the sentence with a full stop. */
const ANNOUNCEMENTS: readonly RegExp[] = [
  /^.{1,200} (?:has |have )?(?:joined|left)(?: the (?:call|meeting))?$/i,
  /^.{1,200} (?:is|are) (?:now )?presenting$/i,
  /^.{1,200} (?:started|stopped) (?:recording|presenting)$/i,
]

const NOTICES = [...PAGE_WORDS, ...ANNOUNCEMENTS]
/** All of them end in one of these: most speech does not, and is not looked at further. */
const NOTICE_ENDING =
  /(?:bottom|captions?|on|off|muted|unmuted|effects|options|settings|call|meeting|joined|left|presenting|recording)\.?$/i

const MAX_NOTICE_CHARS = 300

/** `text` without leaked icon names. */
export function removeIconNames(text: string): string {
  if (!text.includes('_')) return text
  return text
    .split(' ')
    .filter((word) => !ICON_NAMES.has(word))
    .join(' ')
}

/** Whether a whole caption is something the page says, not a person. */
export function isPageNotice(text: string): boolean {
  if (text.length > MAX_NOTICE_CHARS || !NOTICE_ENDING.test(text)) return false
  return NOTICES.some((pattern) => pattern.test(text))
}
