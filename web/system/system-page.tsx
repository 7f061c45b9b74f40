import { Stack, Tabs, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSignedInUser } from '../api/use-api.tsx'
import { AuditTab } from './audit-tab.tsx'
import { BotAccountsTab } from './bot-accounts-tab.tsx'
import { MailTab } from './mail-tab.tsx'
import { ConnectionsTab } from '../connections/connections-tab.tsx'
import { ModelsTab } from './models-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { PeopleTab } from './people-tab.tsx'
import { ProjectsTab } from './projects-tab.tsx'
import { ProvisioningTab } from './provisioning-tab.tsx'
import { TextLink } from '../ui/links.tsx'
import { PageTitle, TabRow } from '../ui/layout.tsx'
import { type SystemTab, SYSTEM_TABS, parseChoice } from '../api/url-parameters.ts'

const TABS: Record<SystemTab, { label: string; content: ReactNode }> = {
  overview: { label: 'Overview', content: <OverviewTab /> },
  people: { label: 'People', content: <PeopleTab /> },
  provisioning: { label: 'Provisioning', content: <ProvisioningTab /> },
  projects: { label: 'Projects', content: <ProjectsTab /> },
  'bot-accounts': { label: 'Bot accounts', content: <BotAccountsTab /> },
  connections: { label: 'Connections', content: <ConnectionsTab /> },
  models: { label: 'Models', content: <ModelsTab /> },
  mail: { label: 'Mail', content: <MailTab /> },
  audit: { label: 'Audit', content: <AuditTab /> },
}

const route = getRouteApi('/signed-in/system')

export function SystemPage() {
  const user = useSignedInUser()
  return (
    <Stack gap="lg" maw={1080}>
      <PageTitle>System</PageTitle>
      {user.role === 'admin' ? <AdminTabs /> : <AdminsOnlyNotice />}
    </Stack>
  )
}

function AdminTabs() {
  const navigate = route.useNavigate()
  const { tab = 'overview' } = route.useSearch()
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(value) => void navigate({ search: { tab: parseChoice(SYSTEM_TABS, value) } })}
    >
      <TabRow tabs={TABS} selected={tab} />
      <Tabs.Panel value={tab} pt="xl">
        {TABS[tab].content}
      </Tabs.Panel>
    </Tabs>
  )
}

function AdminsOnlyNotice() {
  return (
    <Stack gap="sm">
      <Text>Only administrators can open this page. You are signed in as a member.</Text>
      <Text>
        Ask an administrator if you need something here.{' '}
        <TextLink to="/">Go to the home page</TextLink>
      </Text>
    </Stack>
  )
}
