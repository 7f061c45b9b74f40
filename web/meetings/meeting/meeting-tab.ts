/** What the side panel shows. The recap is in the main column; its name stays for old links. */
const TABS = [
  'recap',
  'insights',
  'people',
  'notes',
  'chat',
  'document',
  'details',
  'callbacks',
  'events',
  'evidence',
] as const

export type MeetingTab = (typeof TABS)[number]

/** Not in the lazily loaded file of the meeting page: the router parses the tab in the URL before loading it. */
export function parseMeetingTab(value: unknown): MeetingTab | undefined {
  return TABS.find((tab) => tab === value)
}
