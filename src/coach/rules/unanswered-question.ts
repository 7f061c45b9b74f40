import type { ConversationState } from '../conversation.ts'
import type { CoachThresholds } from '../coach-thresholds.ts'
import { displayName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** A question after which nobody else spoke. What is typed or shown by hand is not heard, so it says "aloud". */
export const unansweredQuestion: CoachRule = {
  category: 'unanswered_question',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find(room, rules, now) {
    const due = nextDue(room, rules)
    if (room.question === null || due === null || now < due.dueAt) return []
    const { speaker, number, quote } = room.question
    return [
      {
        speaker,
        title: 'A question is open',
        text: `Nobody has answered ${speaker === '' ? 'this question' : displayName(speaker)} aloud: ${quote}`,
        segmentNumbers: [number],
        key: due.key,
      },
    ]
  },
  nextDue,
}

function nextDue(
  { question, participantCount }: ConversationState,
  { answerWaitMs }: CoachThresholds,
): { speaker: string; key: string; dueAt: number } | null {
  if (question === null || participantCount === 1) return null
  const { speaker, number, askedAt } = question
  return { speaker, key: String(number), dueAt: askedAt + answerWaitMs }
}
