const TABS = [
  'insights',
  'people',
  'callbacks',
  'document',
  'events',
  'evidence',
  'details',
] as const

export type MeetingTab = (typeof TABS)[number]

/** Separate from the lazily loaded page, because the router parses the URL before loading the page. */
export function toMeetingTab(value: unknown): MeetingTab | undefined {
  return TABS.find((tab) => tab === value)
}
