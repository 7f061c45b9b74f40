import type { ConversationState } from '../speech/conversation.ts'
import type { CoachThresholds } from '../coach-thresholds.ts'
import { formatSpeakerName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** A question after which no one else spoke. The text says "aloud", because the coach does not see chat or raised hands. */
export const unansweredQuestionRule: CoachRule = {
  category: 'unanswered_question',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find(conversation, thresholds, now) {
    const { question } = conversation
    const due = nextDue(conversation, thresholds)
    if (question === null || due === null || now < due.dueAt) return []
    const { speaker, number, quote } = question
    return [
      {
        speaker,
        title: 'Unanswered question',
        text: `No one has answered ${speaker === '' ? 'this question' : formatSpeakerName(speaker)} aloud: ${quote}`,
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
