/** When a bot itself recognizes speech: never; if captions are missing or in another language; or always. */
export const SPEECH_MODES = ['off', 'fallback', 'always'] as const
export type SpeechMode = (typeof SPEECH_MODES)[number]
export const DEFAULT_SPEECH_MODE: SpeechMode = 'fallback'
