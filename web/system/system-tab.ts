const TABS = ['overview', 'people', 'bot-accounts', 'models'] as const

export type SystemTab = (typeof TABS)[number]

export function parseSystemTab(value: unknown): SystemTab | undefined {
  return TABS.find((tab) => tab === value)
}
