const TABS = ['profile', 'tokens', 'sessions'] as const

export type AccountTab = (typeof TABS)[number]

/** Apart from the page, which is loaded only when it is wanted; the address is read before. */
export function toAccountTab(value: unknown): AccountTab | undefined {
  return TABS.find((tab) => tab === value)
}
