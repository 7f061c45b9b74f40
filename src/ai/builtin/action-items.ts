import { splitEnglishSentences } from '../../coach/rules/english-patterns.ts'
import { findActionItem } from '../../coach/rules/action-item.ts'
import { findDeadlineWords } from '../../coach/rules/task-phrases.ts'
import type { MeetingTranscriptForReport } from './meeting-text.ts'
import { formatMeetingHeading, escapeMarkdown } from './markdown.ts'

/** Lists who took on or requested which work, and by when. The patterns recognise English only. */
export function renderActionItemsReport(meetings: readonly MeetingTranscriptForReport[]): string {
  return meetings.map(meetingActionItems).join('\n\n')
}

function meetingActionItems(meeting: MeetingTranscriptForReport): string {
  const lines = meeting.turns.flatMap(({ speaker, text, time }) =>
    splitEnglishSentences(text).flatMap((sentence) => {
      const item = findActionItem(sentence)
      if (item === null) return []
      const due = findDeadlineWords(sentence)
      const until = due === null ? '' : `, due: ${escapeMarkdown(due)}`
      return [
        `- [ ] **${escapeMarkdown(speaker)}** ${item.reportingVerb}: ${escapeMarkdown(sentence)} (${time}${until})`,
      ]
    }),
  )
  return [formatMeetingHeading(meeting), lines.join('\n') || 'No action items found.'].join('\n\n')
}
