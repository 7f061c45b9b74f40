/**
 * Problems of a meeting that do not stop it: the page looks different than expected, the platform does not recognise the
 * bot as a bot, the bot could not write in the meeting chat, the captions are in another language or without the names
 * of the speakers, or the bot recognizes speech instead of captions, incompletely, late or not at all.
 */
export const WARNING_CODES = [
  'page_drift',
  'unidentified',
  'chat_unavailable',
  'caption_language',
  'speaker_names',
  'speech_used',
  'speech_incomplete',
  'speech_behind',
  'speech_unavailable',
] as const
export type WarningCode = (typeof WARNING_CODES)[number]
