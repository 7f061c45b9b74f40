import type { MeetingTranscriptForReport } from './meeting-text.ts'

/** Escapes Markdown characters and joins lines, so that spoken text cannot change the layout of a report. */
export function escapeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\\`*_[\]<>|#~]/g, '\\$&')
    .trim()
}

export function formatMeetingHeading({ title, date }: MeetingTranscriptForReport): string {
  return `## ${escapeMarkdown(title)}\n\n${date.slice(0, 10)}`
}
