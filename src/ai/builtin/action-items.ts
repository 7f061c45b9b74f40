import { englishSentences } from '../../coach/rules/english.ts'
import { findActionItem } from '../../coach/rules/action-item.ts'
import { dueIn } from '../../coach/rules/tasks.ts'
import type { MeetingText } from './meeting-text.ts'
import { heading, plain } from './markdown.ts'

/** Who took what on, or asked for it, and until when. The patterns are English. */
export function actionItemsReport(meetings: readonly MeetingText[]): string {
  return meetings.map(itemsOf).join('\n\n')
}

function itemsOf(meeting: MeetingText): string {
  const lines = meeting.turns.flatMap(({ speaker, text, time }) =>
    englishSentences(text).flatMap((sentence) => {
      const item = findActionItem(sentence)
      if (item === null) return []
      const due = dueIn(sentence)
      const until = due === null ? '' : `, due: ${plain(due)}`
      return [`- [ ] **${plain(speaker)}** ${item.says}: ${plain(sentence)} (${time}${until})`]
    }),
  )
  return [heading(meeting), lines.join('\n') || 'No action items found.'].join('\n\n')
}
