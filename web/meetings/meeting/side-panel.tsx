import { useDidUpdate } from '@mantine/hooks'
import { type ComponentType, lazy, Suspense } from 'react'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import {
  Button,
  Stack,
  Group,
  Text,
  Badge,
  VisuallyHidden,
  Drawer,
  Tabs,
  Anchor,
} from '@mantine/core'
import type { ApiMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { AskBox } from '../../ask/ask-box.tsx'
import { MeetingOfPageContext } from '../../ask/answer-view.tsx'
import { type MeetingTab, MEETING_TABS, parseChoice } from '../../api/url-parameters.ts'
import { NotesTab } from './notes/notes-tab.tsx'
import { ChatTab } from './tabs/chat-tab.tsx'
import { DEVELOPER_TABS, DeveloperTab, isDeveloperTab } from './tabs/developer-tab.tsx'
import { InsightsTab } from './tabs/insights-tab.tsx'
import { TalkTime } from './talk-time/talk-time.tsx'
import type { TranscriptStore } from './transcript/transcript-store.ts'
import { formatCountWithNoun } from '../../ui/format/format-text.ts'
import { TimeOfDay } from '../../ui/format/time.tsx'
import { SpeakerName } from '../speakers/speaker-name.tsx'
import { useApi } from '../../api/use-api.tsx'
import { meetingApiPath } from '../queries.ts'
import { savedDocumentPathToLink } from '../../projects/document-ref.ts'
import { TextLink, projectPage } from '../../ui/links.tsx'
import { QueryView, LoadingIndicator } from '../../ui/feedback/feedback.tsx'
import { Hint } from '../../ui/text.tsx'

const route = getRouteApi('/signed-in/meetings/$meetingId')

type Panel = { label: string; Content: ComponentType<{ meeting: ApiMeetingDetail }> }

const PANELS = {
  insights: { label: 'Insights', Content: InsightsTab },
  people: { label: 'Participants', Content: ParticipantsTab },
  notes: { label: 'Notes', Content: NotesTab },
  chat: { label: 'Chat', Content: ChatTab },
  document: { label: 'Document', Content: DocumentTab },
} satisfies Partial<Record<MeetingTab, Panel>>

type PanelName = keyof typeof PANELS

/** The tab with content that only developers need. */
const DEVELOPER = 'developer'
const PANEL_TITLE = 'About this meeting'

interface SidePanelProps {
  meeting: ApiMeetingDetail
  store: TranscriptStore
  /** False if the question field is in the main column. */
  hasAskBox: boolean
}

/** Questions, talk time and tabs of a meeting: a column beside the transcript. */
export function MeetingSidePanel(parts: SidePanelProps) {
  return (
    <aside className="side" aria-label={PANEL_TITLE}>
      <PanelContent {...parts} />
    </aside>
  )
}

/**
 * The side panel if it does not fit beside the transcript: from the bottom on phones, otherwise from the side. The
 * sheet is open while the URL names a tab, so a link to a tab opens it.
 */
export function MeetingSheet({ isPhone, ...parts }: SidePanelProps & { isPhone: boolean }) {
  const { tab } = route.useSearch()
  const setTab = useSetTab()
  const isOpen = tab !== undefined && tab !== 'recap'
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
        onClick={() => setTab(defaultTab(parts.meeting))}
      >
        {parts.hasAskBox ? 'Ask, talk time and details' : 'Details'}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setTab(undefined)}
        position={isPhone ? 'bottom' : 'right'}
        size={isPhone ? '82%' : '26rem'}
        radius={isPhone ? 'lg' : 0}
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

function PanelContent({ meeting, store, hasAskBox }: SidePanelProps) {
  const { tab: urlTab } = route.useSearch()
  const setTab = useSetTab()
  const tab = urlTab === undefined || urlTab === 'recap' ? defaultTab(meeting) : urlTab
  const shown = (Object.entries(PANELS) as Array<[PanelName, Panel]>).filter(
    ([name]) => name === tab || hasPanel(name, meeting),
  )
  const open = isDeveloperTab(tab) ? DEVELOPER : tab
  const onChange = (value: string | null) =>
    setTab(value === DEVELOPER ? DEVELOPER_TABS[0] : parseChoice(MEETING_TABS, value))
  return (
    <>
      {hasAskBox && <AskAboutMeeting meetingId={meeting.meetingId} />}
      <TalkTime meeting={meeting} store={store} />
      <Tabs value={open} keepMounted={false} onChange={onChange}>
        <Tabs.List>
          {shown.map(([name, { label }]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value={DEVELOPER}>Developer</Tabs.Tab>
        </Tabs.List>
        {shown.map(([name, { Content }]) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Content meeting={meeting} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value={DEVELOPER} pt="md">
          {isDeveloperTab(tab) && <DeveloperTab meeting={meeting} tab={tab} onChange={setTab} />}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** Leaves out panels that are sure to stay empty. */
function hasPanel(name: PanelName, meeting: ApiMeetingDetail): boolean {
  if (meeting.status === 'scheduled') return false
  if (name === 'chat') return meeting.storesChat
  return name !== 'insights' || meeting.endedAt === null || meeting.insights.length > 0
}

/** A failed join opens with its screenshots. */
function defaultTab(meeting: ApiMeetingDetail): Exclude<MeetingTab, 'recap'> {
  const { status, evidenceCount } = meeting
  if (status === 'scheduled') return 'details'
  if (status === 'error' && evidenceCount > 0) return 'evidence'
  return hasPanel('insights', meeting) ? 'insights' : 'people'
}

function useSetTab(): (tab: MeetingTab | undefined) => void {
  const navigate = route.useNavigate()
  return (tab) => void navigate({ search: { tab }, hash: true, replace: true, resetScroll: false })
}

/** Asks about the page's meeting. The answer links to lines of the transcript beside it. */
function AskAboutMeeting({ meetingId }: { meetingId: string }) {
  return (
    <MeetingOfPageContext value={meetingId}>
      <AskBox label="Ask about this meeting" scope={{ meetingId }} />
    </MeetingOfPageContext>
  )
}

function ParticipantsTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { participants, botName, endedAt, platform } = meeting
  const present = participants.filter(({ leftAt }) => leftAt === null)
  return (
    <Stack gap="sm">
      <Hint>
        {formatCountWithNoun(participants.length, 'participant')}
        {endedAt === null && `, ${present.length} present now`}.
        {platform !== 'imported' && ` The bot appears as “${botName}”.`}
      </Hint>
      <Stack gap="xs" component="ul" className="plain-list" aria-label="Participants">
        {participants.map(({ participantId, name, isHost, joinedAt, leftAt }) => (
          <li key={participantId}>
            <Group gap="xs">
              {name === '' ? (
                <Text fw={600} size="sm">
                  Unnamed
                </Text>
              ) : (
                <SpeakerName speaker={name} isSmall />
              )}
              {isHost && (
                <Badge variant="default" size="sm" radius="sm" tt="none">
                  Host
                </Badge>
              )}
            </Group>
            <Hint size="xs">
              <TimeOfDay at={joinedAt} /> – <PresentUntil at={leftAt ?? endedAt} />
            </Hint>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

/** For participants who have not left: the end of the meeting. Null while it continues. */
function PresentUntil({ at }: { at: string | null }) {
  return at === null ? 'still present' : <TimeOfDay at={at} />
}

const Markdown = lazy(async () => ({
  default: (await import('../../ui/markdown/markdown.tsx')).Markdown,
}))

/** The saved transcript file, without its front matter. */
function DocumentTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { meetingId, documentPath, segmentCount, status } = meeting
  const api = useApi()
  const path = `${meetingApiPath(meetingId)}/document`
  const query = useQuery({
    queryKey: ['document', meetingId, segmentCount, status],
    queryFn: () => api.meetings.document(meetingId),
    enabled: documentPath !== null,
  })
  if (documentPath === null) {
    return <Text c="dimmed">No document: this meeting was started without saving one.</Text>
  }
  return (
    <Stack gap="sm">
      <VisuallyHidden role="heading" aria-level={2}>
        Document
      </VisuallyHidden>
      <Group justify="space-between" gap="xs">
        <Hint>{documentPath}</Hint>
        <Group gap="sm">
          <OpenInProjectLink documentPath={documentPath} />
          <Anchor href={path} download size="sm">
            Download
          </Anchor>
        </Group>
      </Group>
      <QueryView query={query} label="the document">
        {(text) => (
          <Suspense fallback={<LoadingIndicator label="Preparing the document" />}>
            <Markdown text={stripFrontMatter(text)} />
          </Suspense>
        )}
      </QueryView>
    </Stack>
  )
}

/** Opens the saved transcript on its project's page. */
function OpenInProjectLink({ documentPath }: { documentPath: string }) {
  const link = savedDocumentPathToLink(documentPath)
  if (link === null) return null
  const { project, path } = link
  return (
    <TextLink {...projectPage(project, path)} size="sm">
      Open in project
    </TextLink>
  )
}

function stripFrontMatter(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, '')
}
