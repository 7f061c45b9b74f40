const TABS = [
  'recap',
  'insights',
  'people',
  'notes',
  'chat',
  'callbacks',
  'document',
  'events',
  'evidence',
  'details',
] as const

export type MeetingTab = (typeof TABS)[number]

/** Not in the lazily loaded file of the meeting page: the router parses the tab in the URL before loading it. */
export function parseMeetingTab(value: unknown): MeetingTab | undefined {
  return TABS.find((tab) => tab === value)
}
