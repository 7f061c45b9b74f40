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

/** Apart from the page, which is loaded only when it is wanted; the address is read before. */
export function toMeetingTab(value: unknown): MeetingTab | undefined {
  return TABS.find((tab) => tab === value)
}
