import { Button, Drawer, Tabs } from '@mantine/core'
import { useDidUpdate, useMediaQuery } from '@mantine/hooks'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { isActiveStatus } from '../meeting-labels.ts'
import { parseMeetingTab, type MeetingTab } from './meeting-tab.ts'
import { PHONE_MEDIA_QUERY } from '../../ui/breakpoints.ts'
import { CallbacksTab } from './tabs/callbacks-tab.tsx'
import { ChatTab } from './tabs/chat-tab.tsx'
import { DetailsTab } from './tabs/details-tab.tsx'
import { DocumentTab } from './tabs/document-tab.tsx'
import { EvidenceTab } from './tabs/evidence-tab.tsx'
import { InsightsTab } from './tabs/insights-tab.tsx'
import { ParticipantsTab } from './tabs/participants-tab.tsx'
import { EventsTab } from './tabs/events-tab.tsx'
import { NotesTab } from './notes/notes-tab.tsx'
import { AskAboutMeeting } from './ask-about-meeting.tsx'
import { RecapPanel } from './recap/recap-panel.tsx'
import type { SpeakerHues } from './transcript/speakers.ts'
import { TalkTimeChart } from './tabs/talk-time-chart.tsx'
import type { TranscriptStore } from './transcript/transcript-store.ts'

const route = getRouteApi('/signed-in/meetings/$meetingId')

type Panel = { label: string; Content: ComponentType<{ meeting: WireMeetingDetail }> }

const PANELS: Record<MeetingTab, Panel> = {
  recap: { label: 'Recap', Content: RecapPanel },
  insights: { label: 'Insights', Content: InsightsTab },
  people: { label: 'Participants', Content: ParticipantsTab },
  notes: { label: 'Notes', Content: NotesTab },
  chat: { label: 'Chat', Content: ChatTab },
  callbacks: { label: 'Callbacks', Content: CallbacksTab },
  document: { label: 'Document', Content: DocumentTab },
  events: { label: 'Events', Content: EventsTab },
  evidence: { label: 'Screenshots', Content: EvidenceTab },
  details: { label: 'Details', Content: DetailsTab },
}

const PANEL_TITLE = 'About this meeting'

type SidePanelProps = {
  meeting: WireMeetingDetail
  store: TranscriptStore
  speakers: SpeakerHues
  /** Whether the panel is beside the transcript. If not, the page shows recap and questions above the transcript. */
  isBesideTranscript: boolean
}

/** Talk time and tabs of a meeting: a column next to the transcript, or a bottom sheet on phones. */
export function MeetingSidePanel(parts: SidePanelProps) {
  const isPhone = useMediaQuery(PHONE_MEDIA_QUERY, false, { getInitialValueInEffect: false })
  if (isPhone) return <BottomSheet {...parts} />
  return (
    <aside className="side" aria-label={PANEL_TITLE}>
      <PanelContent {...parts} />
    </aside>
  )
}

/** The side panel on phones. The sheet is open while the URL names a tab, so that a link to a tab opens it. */
function BottomSheet(parts: SidePanelProps) {
  const { tab } = route.useSearch()
  const setTab = useSetTab()
  const isOpen = tab !== undefined && (parts.isBesideTranscript || tab !== 'recap')
  const hash = useLocation({ select: (location) => location.hash })
  // A link to a line closes the sheet, which would cover the line.
  useDidUpdate(() => {
    if (isOpen) setTab(undefined)
  }, [hash])
  return (
    <>
      <Button
        className="sheet-button"
        variant="default"
        aria-haspopup="dialog"
        onClick={() => setTab(defaultTab(parts))}
      >
        Talk time, insights, participants and more
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setTab(undefined)}
        position="bottom"
        size="82%"
        radius="lg"
        title={PANEL_TITLE}
        closeButtonProps={{ 'aria-label': 'Close' }}
        transitionProps={{ duration: 120 }}
        // Without this role, screen readers announce the <header> of Mantine's drawer as a second page banner.
        attributes={{ header: { role: 'presentation' } }}
        styles={{ title: { fontWeight: 650 } }}
      >
        <div className="side">
          <PanelContent {...parts} />
        </div>
      </Drawer>
    </>
  )
}

function PanelContent(parts: SidePanelProps) {
  const { meeting, store, speakers, isBesideTranscript } = parts
  const { tab: urlTab } = route.useSearch()
  const setTab = useSetTab()
  const tab =
    urlTab === undefined || (urlTab === 'recap' && !isBesideTranscript) ? defaultTab(parts) : urlTab
  const { Content } = PANELS[tab]
  const isActive = isActiveStatus(meeting.status)
  const isHidden: Partial<Record<string, boolean>> = {
    // Screenshots of a failed join or a removal.
    evidence: meeting.evidenceCount === 0,
    chat: !meeting.storesChat,
    recap: !isBesideTranscript || isActive,
  }
  const shown = Object.entries(PANELS).filter(([name]) => name === tab || !isHidden[name])
  const talkTime = <TalkTimeChart store={store} speakers={speakers} />
  return (
    <>
      {isBesideTranscript && <AskAboutMeeting meetingId={meeting.meetingId} />}
      {isActive && talkTime}
      <Tabs value={tab} keepMounted={false} onChange={(value) => setTab(parseMeetingTab(value))}>
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
      {!isActive && talkTime}
    </>
  )
}

/** A meeting in which something was said opens with its recap when it is over, a failed one with its screenshots. */
function defaultTab({ meeting, isBesideTranscript }: SidePanelProps): MeetingTab {
  const { status, segmentCount, evidenceCount } = meeting
  if (isBesideTranscript && segmentCount > 0 && !isActiveStatus(status)) return 'recap'
  return status === 'error' && evidenceCount > 0 ? 'evidence' : 'insights'
}

function useSetTab(): (tab: MeetingTab | undefined) => void {
  const navigate = route.useNavigate()
  return (tab) => void navigate({ search: { tab }, hash: true, replace: true })
}
