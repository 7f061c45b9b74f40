import { Stack, Text } from '@mantine/core'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { MEETING_END_REASON_TEXTS } from '../meeting-labels.ts'
import { formatSecondsAsClock } from '../../ui/format/format-text.ts'
import { TextLink } from '../../ui/links.tsx'
import { Time, useNowEverySecond } from '../../ui/format/time.tsx'

/** Says why the bot is not in the meeting, and what the user can do. */
export function MeetingStatusNotice({ meeting }: { meeting: WireMeetingDetail }) {
  const { meetingId, status, reason, detail, evidenceCount } = meeting
  if (status === 'lobby') return <LobbyNotice meeting={meeting} />
  if (status === 'scheduled' || (status === 'joining' && isLater(meeting)))
    return <ScheduledNotice meeting={meeting} />
  if (reason === null) return null
  const { what, nextStep } = MEETING_END_REASON_TEXTS[reason]
  if (status === 'ended' && nextStep === undefined) return null
  return (
    <div className={status === 'error' ? 'notice notice-error' : 'notice'} role="note">
      <Stack gap={4}>
        <Text fw={650}>{what}</Text>
        {detail && (
          <Text size="sm" className="break-anywhere">
            {detail}
          </Text>
        )}
        {nextStep && <Text size="sm">{nextStep}</Text>}
        {evidenceCount > 0 && (
          <TextLink
            to="/meetings/$meetingId"
            params={{ meetingId }}
            search={{ tab: 'evidence' }}
            size="sm"
          >
            View screenshots
          </TextLink>
        )}
      </Stack>
    </div>
  )
}

/** The bot of a scheduled meeting is ready shortly before it joins. */
function isLater({ startedAt }: WireMeetingDetail): boolean {
  return Date.parse(startedAt) > Date.now()
}

function ScheduledNotice({ meeting }: { meeting: WireMeetingDetail }) {
  return (
    <div className="notice" role="note">
      <Text className="break-anywhere">
        “{meeting.botName}” joins on <Time at={meeting.startedAt} show="minute" /> (
        <Time at={meeting.startedAt} show="relative" />
        ).
      </Text>
    </div>
  )
}

function LobbyNotice({ meeting }: { meeting: WireMeetingDetail }) {
  const since = meeting.statuses.findLast(({ status }) => status === 'lobby')?.at
  const seconds = (useNowEverySecond() - Date.parse(since ?? meeting.startedAt)) / 1000
  return (
    <div className="notice" role="note">
      <Text className="break-anywhere">
        Waiting in the lobby for <span className="figures">{formatSecondsAsClock(seconds)}</span>.
        Ask the host to admit “{meeting.botName}”.
      </Text>
    </div>
  )
}
