import type { MeetingText } from './meeting-text.ts'

/** What was said, as words and nothing else, on one line. */
export function escapeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\\`*_[\]<>|#~]/g, '\\$&')
    .trim()
}

export function meetingHeading({ title, date }: MeetingText): string {
  return `## ${escapeMarkdown(title)}\n\n${date.slice(0, 10)}`
}
