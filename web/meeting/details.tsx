import { Anchor, Stack, Text } from '@mantine/core'
import type { WireMeetingDetail } from '../../src/http/shapes/meetings.ts'
import { pathOf } from '../meetings/queries.ts'
import { clock, PLATFORMS, REASONS } from '../meetings/words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Facts, type Fact } from '../ui/facts.tsx'
import { ShortTime, Time } from '../ui/time.tsx'

export function Details({ meeting }: { meeting: WireMeetingDetail }) {
  const { meetingId, documentPath, reason } = meeting
  const facts: Fact[] = [
    ['Id', meetingId],
    ['Platform', PLATFORMS[meeting.platform]],
    ['Project', meeting.project],
    [
      'Document',
      documentPath === null ? 'not saved' : <DocumentLink key="document" meeting={meeting} />,
    ],
    ['Bot', `${meeting.botName}${meeting.visits > 1 ? `, set out ${meeting.visits} times` : ''}`],
    ['Language', meeting.language ?? 'as the platform chooses'],
    ['Asked for', <Time key="at" at={meeting.startedAt} show="minute" />],
    ...(reason === null ? [] : [['End', REASONS[reason].what] satisfies Fact]),
  ]
  return (
    <Stack gap="md">
      <Facts facts={facts} />
      <Path meeting={meeting} />
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
    <Anchor href={`${pathOf(meeting.meetingId)}/document`} download size="sm">
      {meeting.documentPath}
    </Anchor>
  )
}

/** The way in and out, with how long each step took. */
function Path({ meeting }: { meeting: WireMeetingDetail }) {
  const { statuses } = meeting
  return (
    <ol className="plain-list path" aria-label="The way in and out">
      {statuses.map(({ status, at }, i) => {
        const next = statuses[i + 1]
        const seconds = next ? (Date.parse(next.at) - Date.parse(at)) / 1000 : null
        return (
          <li key={`${status} ${at}`}>
            <Text span size="sm">
              <ShortTime at={at} /> {status}
            </Text>
            {seconds !== null && (
              <Text span size="sm" c="dimmed" className="figures">
                {' '}
                for {clock(seconds)}
              </Text>
            )}
          </li>
        )
      })}
    </ol>
  )
}
