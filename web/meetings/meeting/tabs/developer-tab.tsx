import { Tabs } from '@mantine/core'
import type { ComponentType } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { MeetingTab } from '../../../api/url-parameters.ts'
import { CallbacksTab } from './callbacks-tab.tsx'
import { DetailsTab } from './details-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { EvidenceTab } from './evidence-tab.tsx'

export const DEVELOPER_TABS = ['details', 'callbacks', 'events', 'evidence'] as const

type DeveloperTabName = (typeof DEVELOPER_TABS)[number]

export function isDeveloperTab(tab: MeetingTab): tab is DeveloperTabName {
  return DEVELOPER_TABS.some((name) => name === tab)
}

type Panel = { label: string; Content: ComponentType<{ meeting: ApiMeetingDetail }> }

const PANELS: Record<DeveloperTabName, Panel> = {
  details: { label: 'Details', Content: DetailsTab },
  callbacks: { label: 'Callbacks', Content: CallbacksTab },
  events: { label: 'Events', Content: EventsTab },
  evidence: { label: 'Screenshots', Content: EvidenceTab },
}

interface DeveloperTabProps {
  meeting: ApiMeetingDetail
  tab: DeveloperTabName
  onChange: (tab: DeveloperTabName) => void
}

/** Everything that developers and administrators look up, behind one tab. */
export function DeveloperTab({ meeting, tab, onChange }: DeveloperTabProps) {
  const shown = DEVELOPER_TABS.filter(
    (name) => name !== 'evidence' || name === tab || meeting.evidenceCount > 0,
  )
  const { Content } = PANELS[tab]
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(value) => {
        const chosen = DEVELOPER_TABS.find((name) => name === value)
        if (chosen !== undefined) onChange(chosen)
      }}
    >
      <Tabs.List aria-label="For developers">
        {shown.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {PANELS[name].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} pt="md">
        <Content meeting={meeting} />
      </Tabs.Panel>
    </Tabs>
  )
}
