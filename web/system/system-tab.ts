const TABS = ['overview', 'people', 'projects', 'bot-accounts', 'models', 'audit'] as const

export type SystemTab = (typeof TABS)[number]

export function parseSystemTab(value: unknown): SystemTab | undefined {
  return TABS.find((tab) => tab === value)
}
