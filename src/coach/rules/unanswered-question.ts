import type { Room } from '../room.ts'
import type { CoachRules } from '../rules.ts'
import { nameOf } from '../wording.ts'
import type { Rule } from './rule.ts'

/** A question after which nobody else spoke. What is typed or shown by hand is not heard, so it says "aloud". */
export const unansweredQuestion: Rule = {
  category: 'unanswered_question',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find(room, rules, now) {
    const due = waits(room, rules)
    if (room.question === null || due === null || now < due.dueAt) return []
    const { speaker, number, quote } = room.question
    return [
      {
        speaker,
        title: 'A question is open',
        text: `Nobody has answered ${speaker === '' ? 'this question' : nameOf(speaker)} aloud: ${quote}`,
        segmentNumbers: [number],
        key: due.key,
      },
    ]
  },
  waits,
}

function waits(
  { question, present }: Room,
  { answerMs }: CoachRules,
): { speaker: string; key: string; dueAt: number } | null {
  if (question === null || present === 1) return null
  const { speaker, number, askedAt } = question
  return { speaker, key: String(number), dueAt: askedAt + answerMs }
}
