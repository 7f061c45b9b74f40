import type { PagePrompt } from './page-states.ts'
import { createPartMatcher, type MatcherRule } from './state-rules.ts'

/** The prompts of both platforms, most urgent first. `deviceAnswers` are the answers to the platform's own questions. */
export function createPrompts(...deviceAnswers: string[]): readonly PagePrompt[] {
  return [
    ...deviceAnswers.map((answer) => ({ answer, isBlocking: true, isConsent: false })),
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

/** The page asks a bot that is alone whether it wants to stay. In an unknown language any dialog counts. */
export const ASKED_TO_STAY_RULES: readonly MatcherRule[] = [
  { all: [createPartMatcher('stayButton')] },
  { all: [createPartMatcher('dialogAnswer'), { by: 'count', count: 1 }] },
]
