/**
 * Problems of a meeting that do not stop it: the page looks different than expected, the platform does not recognise
 * the bot as a bot, or the captions are in another language or without the names of the speakers.
 */
export type WarningCode = 'page_drift' | 'unidentified' | 'caption_language' | 'speaker_names'
