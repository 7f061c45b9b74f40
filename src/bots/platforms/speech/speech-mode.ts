/**
 * When a bot recognizes speech itself: never, where captions are missing or in another language, or instead of
 * captions.
 */
export const SPEECH_MODES = ['off', 'fallback', 'always'] as const
export type SpeechMode = (typeof SPEECH_MODES)[number]
export const DEFAULT_SPEECH_MODE: SpeechMode = 'fallback'
