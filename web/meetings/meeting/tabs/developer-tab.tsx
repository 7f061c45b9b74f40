import type { ComponentType } from 'react'
import { useQueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Stack, Text, Tabs, Anchor, Code, Image } from '@mantine/core'
import type { ApiMeetingDetail, EventType } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { MeetingTab } from '../../../api/url-parameters.ts'
import { CallbacksTab } from './callbacks-tab.tsx'
import { meetingApiPath } from '../../queries.ts'
import type { MeetingStatus } from '../../../../src/http/shapes/values.ts'
import {
  MEETING_END_REASON_TEXTS,
  MEETING_STATUS_LABELS,
  PLATFORM_LABELS,
  SPEECH_MODE_LABELS,
} from '../../meeting-labels.ts'
import { formatSecondsAsClock } from '../../../ui/format/format-text.ts'
import { CopyButton } from '../../../ui/copy.tsx'
import { type DescriptionItem, DescriptionList } from '../../../ui/layout.tsx'
import { TimeOfDay, Time } from '../../../ui/format/time.tsx'
import { useApi } from '../../../api/use-api.tsx'
import { useMeetingEvents } from '../../../api/event-stream-context.tsx'
import { QueryView } from '../../../ui/feedback/feedback.tsx'
import { LoadMoreButton } from '../../../ui/tables/data-table.tsx'
import type { ApiEvidence } from '../../../../src/http/shapes/meetings/evidence.ts'
import { Hint } from '../../../ui/text.tsx'

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

function DetailsTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { meetingId, documentPath, reason } = meeting
  const facts: DescriptionItem[] = [
    ['ID', meetingId],
    ['Platform', PLATFORM_LABELS[meeting.platform]],
    ['Project', meeting.project],
    [
      'Document',
      documentPath === null ? 'not saved' : <DocumentLink key="document" meeting={meeting} />,
    ],
    ...(meeting.platform === 'imported' ? listImportFacts(meeting) : listBotFacts(meeting)),
    ...(reason === null
      ? []
      : [['End reason', MEETING_END_REASON_TEXTS[reason].what] satisfies DescriptionItem]),
  ]
  return (
    <Stack gap="md">
      <DescriptionList facts={facts} />
      {meeting.platform !== 'imported' && <StatusHistory meeting={meeting} />}
      <div>
        <CopyButton text={meetingId} what="ID" showsLabel />{' '}
        <CopyButton
          text={`curl -H "X-API-Key: $HANSARD_API_KEY" ${window.location.origin}/api/v1/meetings/${meetingId}/transcript`}
          what="as curl"
          showsLabel
        />
      </div>
    </Stack>
  )
}

function listBotFacts(meeting: ApiMeetingDetail): DescriptionItem[] {
  const attempts = meeting.visits > 1 ? `, ${meeting.visits} join attempts` : ''
  return [
    ['Bot', `${meeting.botName}${attempts}`],
    ['Language', meeting.language ?? 'platform default'],
    ['Speech recognition', SPEECH_MODE_LABELS[meeting.speech]],
    [
      meeting.joinAt === null ? 'Requested' : 'Scheduled for',
      <Time key="at" at={meeting.joinAt ?? meeting.startedAt} show="minute" />,
    ],
  ]
}

/** No bot attended an imported meeting. Its only status is the import's. */
function listImportFacts({ detail, startedAt, statuses }: ApiMeetingDetail): DescriptionItem[] {
  const importedAt = statuses[0]?.at
  return [
    ['Started', <Time key="at" at={startedAt} show="minute" />],
    ...(detail === null ? [] : [['Source', detail] satisfies DescriptionItem]),
    ...(importedAt === undefined
      ? []
      : [
          [
            'Imported',
            <Time key="imported" at={importedAt} show="minute" />,
          ] satisfies DescriptionItem,
        ]),
  ]
}

function DocumentLink({ meeting }: { meeting: ApiMeetingDetail }) {
  return (
    <Anchor href={`${meetingApiPath(meeting.meetingId)}/document`} download size="sm">
      {meeting.documentPath}
    </Anchor>
  )
}

/** Every status of the meeting, and how long it lasted. */
function StatusHistory({ meeting }: { meeting: ApiMeetingDetail }) {
  const { statuses } = meeting
  return (
    <ol className="plain-list path" aria-label="Status history">
      {statuses.map(({ status, at }, i) => {
        const next = statuses[i + 1]
        const seconds = next ? (Date.parse(next.at) - Date.parse(at)) / 1000 : null
        return (
          <li key={`${status} ${at}`}>
            <Text span size="sm">
              <TimeOfDay at={at} />{' '}
              {MEETING_STATUS_LABELS[status as MeetingStatus]?.label ?? status}
            </Text>
            {seconds !== null && (
              <Text span size="sm" c="dimmed" className="figures">
                {' '}
                for {formatSecondsAsClock(seconds)}
              </Text>
            )}
          </li>
        )
      })}
    </ol>
  )
}

type ListedEvent = { type: EventType; sequence: number; timestamp: string; payload: object }

const PAGE_SIZE = 200

/** All stored events of the meeting, with the JSON that is sent to the callback URL. */
function EventsTab({ meeting: { meetingId } }: { meeting: ApiMeetingDetail }) {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = ['events', meetingId]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      api.meetings.readEvents(meetingId, { after: pageParam, limit: PAGE_SIZE }),
    initialPageParam: 0,
    getNextPageParam: ({ events }) =>
      events.length < PAGE_SIZE ? undefined : (events.at(-1)?.sequence ?? undefined),
  })
  // New events are appended to the last loaded page of the list. Earlier pages never change.
  useMeetingEvents((event) => {
    if (event.meetingId !== meetingId || event.type === 'caption_partial') return
    queries.setQueryData<typeof query.data>(
      queryKey,
      (current) => current && appendEvent(current, event),
    )
  })
  return (
    <QueryView query={query} label="the events">
      {({ pages }) => (
        <Stack gap="xs">
          <ol className="plain-list raw-events" aria-label="Events, oldest first">
            {pages
              .flatMap(({ events }) => events)
              .map((event) => (
                <li key={event.sequence}>
                  <details>
                    <summary>
                      <Text span size="sm" c="dimmed" className="figures">
                        {event.sequence}
                      </Text>{' '}
                      <Text span size="sm">
                        {event.type}
                      </Text>{' '}
                      <Text span size="xs" c="dimmed">
                        <TimeOfDay at={event.timestamp} />
                      </Text>
                    </summary>
                    <Code block className="wrap-code">
                      {JSON.stringify(event, null, 2)}
                    </Code>
                  </details>
                </li>
              ))}
          </ol>
          <LoadMoreButton query={query} size="xs">
            Load later events
          </LoadMoreButton>
        </Stack>
      )}
    </QueryView>
  )
}

function appendEvent<Data extends { pages: Array<{ events: ListedEvent[] }> }>(
  current: Data,
  event: ListedEvent,
): Data {
  const last = current.pages.at(-1)
  const newest = last?.events.at(-1)?.sequence ?? 0
  if (!last || last.events.length >= PAGE_SIZE || event.sequence <= newest) return current
  return { ...current, pages: [...current.pages.slice(0, -1), { events: [...last.events, event] }] }
}

/** Screenshots and page summaries that were stored when the bot could not join or was removed. */
function EvidenceTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { meetingId, evidenceCount } = meeting
  const api = useApi()
  const query = useQuery({
    queryKey: ['evidence', meetingId, evidenceCount],
    queryFn: () => api.meetings.evidence(meetingId),
  })
  if (evidenceCount === 0) {
    return (
      <Hint>
        No screenshots. When a bot cannot join or is removed, a screenshot of the page is saved
        here.
      </Hint>
    )
  }
  return (
    <QueryView query={query} label="the screenshots">
      {({ evidence }) => (
        <Stack component="ol" className="plain-list" gap="lg" aria-label="Screenshots">
          {evidence.map((piece) => (
            <EvidenceItem key={piece.number} piece={piece} />
          ))}
        </Stack>
      )}
    </QueryView>
  )
}

function EvidenceItem({ piece: { at, state, marks, survey, screenshot } }: { piece: ApiEvidence }) {
  return (
    <Stack component="li" gap="xs">
      <Text size="sm" fw={650} className="break-anywhere">
        <TimeOfDay at={at} /> · detected as “{state}”
      </Text>
      {screenshot !== null && (
        <Image
          src={screenshot}
          alt={`Meeting page with the title ${survey.title}`}
          radius="sm"
          className="evidence-picture"
        />
      )}
      <DescriptionList
        facts={[
          ['Page', `${survey.title} (${survey.address})`],
          ['Headings', survey.headings.join(' · ') || 'none'],
          ['Buttons', survey.buttons.join(' · ') || 'none'],
          ['Detected by', marks.join(', ') || 'nothing'],
        ]}
      />
    </Stack>
  )
}
