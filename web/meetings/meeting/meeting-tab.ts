/** The side panel's contents. The recap is in the main column, and its name stays for old links. */
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

/** Not in the lazily loaded file of the meeting page, because the router parses the URL's tab before loading it. */
export function parseMeetingTab(value: unknown): MeetingTab | undefined {
  return TABS.find((tab) => tab === value)
}
