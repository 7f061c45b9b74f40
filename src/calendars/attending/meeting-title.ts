/** The title of the meeting of an occurrence; null when the invitation has none. */
export function toMeetingTitle(title: string): string | null {
  const trimmed = title.trim()
  return trimmed === '' ? null : trimmed
}
