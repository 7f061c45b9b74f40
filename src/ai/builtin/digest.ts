import { splitSentences } from '../../coach/text/sentences.ts'
import type { MeetingTranscriptForReport } from './meeting-text.ts'
import { formatMeetingHeading, escapeMarkdown } from './markdown.ts'
import { pickSentences } from './rank-sentences.ts'

const SENTENCES_PER_MEETING = 5

/** Lists the most important sentences of each meeting with their speakers. */
export function renderDigestReport(meetings: readonly MeetingTranscriptForReport[]): string {
  return meetings.map(meetingDigest).join('\n\n')
}

function meetingDigest(meeting: MeetingTranscriptForReport): string {
  const speakers = new Map<string, string>()
  const sentences = meeting.turns.flatMap(({ speaker, text }) =>
    splitSentences(text).map((sentence) => {
      speakers.set(sentence, speaker)
      return sentence
    }),
  )
  const picked = pickSentences(sentences, SENTENCES_PER_MEETING)
  const lines = picked.map(
    (sentence) =>
      `- **${escapeMarkdown(speakers.get(sentence) ?? '')}:** ${escapeMarkdown(sentence)}`,
  )
  return [
    formatMeetingHeading(meeting),
    lines.join('\n') || 'Too little was said for a digest.',
  ].join('\n\n')
}
