import type { PagePrompt } from './page-states.ts'

/**
 * The prompts of both platforms, most urgent first. `devicesPrompt` is the answer to the platform's question about
 * microphone and camera.
 */
export function createPrompts(devicesPrompt: string): readonly PagePrompt[] {
  return [
    { answer: devicesPrompt, isBlocking: true, isConsent: false },
    { answer: 'breakoutStay', isBlocking: false, isConsent: false, breakoutRooms: 'stay' },
    { answer: 'breakoutJoin', isBlocking: false, isConsent: false, breakoutRooms: 'follow' },
    { answer: 'stayButton', isBlocking: false, isConsent: false },
    { answer: 'noticeAccept', isBlocking: true, isConsent: true },
    { answer: 'bubbleDismiss', isBlocking: false, isConsent: false },
    {
      answer: 'dialogAnswer',
      isBlocking: true,
      isConsent: true,
      isUnknownLanguage: true,
      delayMs: 2_000,
    },
  ]
}
