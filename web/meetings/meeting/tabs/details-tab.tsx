import { Anchor, Stack, Text } from '@mantine/core'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
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
import { DescriptionList, type DescriptionItem } from '../../../ui/layout/description-list.tsx'
import { TimeOfDay, Time } from '../../../ui/format/time.tsx'

export function DetailsTab({ meeting }: { meeting: ApiMeetingDetail }) {
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
