import { isQuestion, splitSentences } from '../../coach/text/sentences.ts'
import { countWords } from '../../coach/text/count-words.ts'
import type { MeetingTranscriptForReport } from './meeting-text.ts'
import { formatMeetingHeading, escapeMarkdown } from './markdown.ts'

type SpeakerStats = { turns: number; words: number; questions: number; longest: number }

/** A table per meeting with each speaker's words, share, turns, questions and longest turn. */
export function renderSpeakerStatsReport(meetings: readonly MeetingTranscriptForReport[]): string {
  return meetings.map(meetingStats).join('\n\n')
}

function meetingStats(meeting: MeetingTranscriptForReport): string {
  const statsBySpeaker = new Map<string, SpeakerStats>()
  for (const { speaker, text } of meeting.turns) {
    const words = countWords(text)
    const stats = statsBySpeaker.get(speaker) ?? { turns: 0, words: 0, questions: 0, longest: 0 }
    statsBySpeaker.set(speaker, {
      turns: stats.turns + 1,
      words: stats.words + words,
      questions: stats.questions + splitSentences(text).filter(isQuestion).length,
      longest: Math.max(stats.longest, words),
    })
  }
  const total = Math.max(
    1,
    [...statsBySpeaker.values()].reduce((sum, { words }) => sum + words, 0),
  )
  const rows = [...statsBySpeaker]
    .toSorted(([, a], [, b]) => b.words - a.words)
    .map(([speaker, { turns, words, questions, longest }]) => {
      const share = `${Math.round((100 * words) / total)} %`
      return `| ${[escapeMarkdown(speaker), words, share, turns, questions, longest].join(' | ')} |`
    })
  const table = [
    '| Speaker | Words | Share | Turns | Questions | Longest turn, words |',
    '|---|---|---|---|---|---|',
    ...rows,
  ]
  return [formatMeetingHeading(meeting), table.join('\n')].join('\n\n')
}
