import type { MeetingText } from './meeting-text.ts'

/** What was said, as words and nothing else, on one line. */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\\`*_[\]<>|#~]/g, '\\$&')
    .trim()
}

export function heading({ title, date }: MeetingText): string {
  return `## ${plain(title)}\n\n${date.slice(0, 10)}`
}
