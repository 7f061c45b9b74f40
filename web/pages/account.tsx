import { Stack, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PeopleTab } from '../account/people-tab.tsx'
import { ProfileTab } from '../account/profile-tab.tsx'
import { SessionsTab } from '../account/sessions-tab.tsx'
import { TokensTab } from '../account/tokens-tab.tsx'
import { useUser } from '../app-state.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { toAccountTab, type AccountTab } from './account-tab.ts'

interface TabEntry {
  label: string
  content: ReactNode
  isForAdmins: boolean
}

const TABS = {
  profile: { label: 'Profile', content: <ProfileTab />, isForAdmins: false },
  tokens: { label: 'API tokens', content: <TokensTab />, isForAdmins: false },
  sessions: { label: 'Sessions', content: <SessionsTab />, isForAdmins: false },
  people: { label: 'People', content: <PeopleTab />, isForAdmins: true },
} as const satisfies Record<AccountTab, TabEntry>

const route = getRouteApi('/inside/account')

export function AccountPage() {
  const user = useUser()
  const navigate = route.useNavigate()
  const { tab = 'profile' } = route.useSearch()
  const entries = Object.entries(TABS).filter(
    ([, { isForAdmins }]) => !isForAdmins || user.role === 'admin',
  )
  const shown = entries.some(([name]) => name === tab) ? tab : 'profile'
  return (
    <Stack gap="lg" maw={1080}>
      <PageTitle>Account</PageTitle>
      <Tabs
        value={shown}
        keepMounted={false}
        onChange={(value) => void navigate({ search: { tab: toAccountTab(value) ?? 'profile' } })}
      >
        <Tabs.List>
          {entries.map(([name, { label }]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {entries.map(([name, { content }]) => (
          <Tabs.Panel key={name} value={name} pt="xl">
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
