import { Stack, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CalendarsTab } from '../calendars/calendars-tab.tsx'
import { NotificationsTab } from './notifications-tab.tsx'
import { SignInTab } from './sign-in-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { SessionsTab } from './sessions-tab.tsx'
import { TokensTab } from './tokens/tokens-tab.tsx'
import { PageTitle } from '../ui/layout/headings.tsx'
import { TabRow } from '../ui/layout/tab-row.tsx'
import { ACCOUNT_TABS, parseChoice, type AccountTab } from '../api/url-parameters.ts'

const TABS: Record<AccountTab, { label: string; content: ReactNode }> = {
  profile: { label: 'Profile', content: <ProfileTab /> },
  'sign-in': { label: 'Sign-in', content: <SignInTab /> },
  calendars: { label: 'Calendars', content: <CalendarsTab /> },
  notifications: { label: 'Notifications', content: <NotificationsTab /> },
  tokens: { label: 'API tokens', content: <TokensTab /> },
  sessions: { label: 'Sessions', content: <SessionsTab /> },
}

const route = getRouteApi('/signed-in/account')

export function AccountPage() {
  const navigate = route.useNavigate()
  const { tab = 'profile' } = route.useSearch()
  return (
    <Stack gap="lg" maw={1080}>
      <PageTitle>Account</PageTitle>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({ search: { tab: parseChoice(ACCOUNT_TABS, value) ?? 'profile' } })
        }
      >
        <TabRow tabs={TABS} selected={tab} />
        {Object.entries(TABS).map(([name, { content }]) => (
          <Tabs.Panel key={name} value={name} pt="xl">
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
