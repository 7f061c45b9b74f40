import { Anchor, Stack, Text } from '@mantine/core'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings.ts'
import { meetingApiPath } from '../../queries.ts'
import { formatClock, PLATFORM_LABELS, MEETING_REASON_TEXTS } from '../../meeting-labels.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { DescriptionList, type DescriptionItem } from '../../../ui/layout/description-list.tsx'
import { TimeOfDay, Time } from '../../../ui/format/time.tsx'

export function DetailsTab({ meeting }: { meeting: WireMeetingDetail }) {
  const { meetingId, documentPath, reason } = meeting
  const facts: DescriptionItem[] = [
    ['Id', meetingId],
    ['Platform', PLATFORM_LABELS[meeting.platform]],
    ['Project', meeting.project],
    [
      'Document',
      documentPath === null ? 'not saved' : <DocumentLink key="document" meeting={meeting} />,
    ],
    ['Bot', `${meeting.botName}${meeting.visits > 1 ? `, set out ${meeting.visits} times` : ''}`],
    ['Language', meeting.language ?? 'as the platform chooses'],
    ['Asked for', <Time key="at" at={meeting.startedAt} show="minute" />],
    ...(reason === null
      ? []
      : [['End', MEETING_REASON_TEXTS[reason].what] satisfies DescriptionItem]),
  ]
  return (
    <Stack gap="md">
      <DescriptionList facts={facts} />
      <StatusHistory meeting={meeting} />
      <div>
        <CopyButton text={meetingId} what="id" isWordy />{' '}
        <CopyButton
          text={`curl -H "X-API-Key: $HANSARD_API_KEY" ${window.location.origin}/api/v1/meetings/${meetingId}/transcript`}
          what="as curl"
          isWordy
        />
      </div>
    </Stack>
  )
}

function DocumentLink({ meeting }: { meeting: WireMeetingDetail }) {
  return (
    <Anchor href={`${meetingApiPath(meeting.meetingId)}/document`} download size="sm">
      {meeting.documentPath}
    </Anchor>
  )
}

/** The way in and out, with how long each step took. */
function StatusHistory({ meeting }: { meeting: WireMeetingDetail }) {
  const { statuses } = meeting
  return (
    <ol className="plain-list path" aria-label="The way in and out">
      {statuses.map(({ status, at }, i) => {
        const next = statuses[i + 1]
        const seconds = next ? (Date.parse(next.at) - Date.parse(at)) / 1000 : null
        return (
          <li key={`${status} ${at}`}>
            <Text span size="sm">
              <TimeOfDay at={at} /> {status}
            </Text>
            {seconds !== null && (
              <Text span size="sm" c="dimmed" className="figures">
                {' '}
                for {formatClock(seconds)}
              </Text>
            )}
          </li>
        )
      })}
    </ol>
  )
}
