import { Button, Drawer, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { WireMeetingDetail } from '../../src/http/shapes/meetings.ts'
import { toMeetingTab, type MeetingTab } from '../pages/meeting-tab.ts'
import { PHONE } from '../ui/breakpoints.ts'
import { Callbacks } from './callbacks.tsx'
import { Details } from './details.tsx'
import { SavedDocument } from './document.tsx'
import { EvidenceList } from './evidence.tsx'
import { Insights } from './insights.tsx'
import { People } from './people.tsx'
import { RawEvents } from './raw-events.tsx'
import type { Speakers } from './speakers.ts'
import { TalkTime } from './talk-time.tsx'
import type { TranscriptStore } from './transcript-store.ts'

const route = getRouteApi('/inside/meetings/$meetingId')

type Panel = { label: string; Content: ComponentType<{ meeting: WireMeetingDetail }> }

const PANELS: Record<MeetingTab, Panel> = {
  insights: { label: 'Insights', Content: Insights },
  people: { label: 'People', Content: People },
  callbacks: { label: 'Callbacks', Content: Callbacks },
  document: { label: 'Document', Content: SavedDocument },
  events: { label: 'Events', Content: RawEvents },
  evidence: { label: 'Evidence', Content: EvidenceList },
  details: { label: 'Details', Content: Details },
}

const NAME = 'About this meeting'

type Parts = { meeting: WireMeetingDetail; store: TranscriptStore; speakers: Speakers }

/** What is known of the meeting beside what was said: a column, or on a phone a sheet from the bottom. */
export function Side(parts: Parts) {
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  if (isPhone) return <Sheet {...parts} />
  return (
    <aside className="side" aria-label={NAME}>
      <About {...parts} />
    </aside>
  )
}

/** Open while the address names one of its tabs, so that a link to one opens it. */
function Sheet(parts: Parts) {
  const { tab } = route.useSearch()
  const setTab = useSetTab()
  return (
    <>
      <Button
        className="sheet-button"
        variant="default"
        aria-haspopup="dialog"
        onClick={() => setTab(firstTab(parts.meeting))}
      >
        Talk time, insights, people and more
      </Button>
      <Drawer
        opened={tab !== undefined}
        onClose={() => setTab(undefined)}
        position="bottom"
        size="82%"
        radius="lg"
        title={NAME}
        closeButtonProps={{ 'aria-label': 'Close' }}
        transitionProps={{ duration: 120 }}
        // Mantine's <header> would count as a second banner of the page.
        attributes={{ header: { role: 'presentation' } }}
        styles={{ title: { fontWeight: 650 } }}
      >
        <div className="side">
          <About {...parts} />
        </div>
      </Drawer>
    </>
  )
}

function About({ meeting, store, speakers }: Parts) {
  const { tab = firstTab(meeting) } = route.useSearch()
  const setTab = useSetTab()
  const { Content } = PANELS[tab]
  // Most meetings have none, and a tab for nothing is in the way.
  const shown = Object.entries(PANELS).filter(
    ([name]) => name !== 'evidence' || tab === 'evidence' || meeting.evidenceCount > 0,
  )
  return (
    <>
      <TalkTime store={store} speakers={speakers} />
      <Tabs value={tab} keepMounted={false} onChange={(value) => setTab(toMeetingTab(value))}>
        <Tabs.List>
          {shown.map(([name, { label }]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          <Content meeting={meeting} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** Whoever opens a meeting that failed wants to know what the bot saw. */
function firstTab({ status, evidenceCount }: WireMeetingDetail): MeetingTab {
  return status === 'error' && evidenceCount > 0 ? 'evidence' : 'insights'
}

function useSetTab(): (tab: MeetingTab | undefined) => void {
  const navigate = route.useNavigate()
  return (tab) => void navigate({ search: { tab }, hash: true, replace: true })
}
