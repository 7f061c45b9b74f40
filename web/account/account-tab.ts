const TABS = ['profile', 'sign-in', 'calendars', 'tokens', 'sessions'] as const

export type AccountTab = (typeof TABS)[number]

/** Separate from the lazily loaded page, because the router parses the URL before loading the page. */
export function parseAccountTab(value: unknown): AccountTab | undefined {
  return TABS.find((tab) => tab === value)
}
