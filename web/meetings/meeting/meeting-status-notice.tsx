import { Group, Stack, Text } from '@mantine/core'
import type { EndReason, ApiMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { formatDurationWithUnits } from '../../../src/lib/time/duration-text.ts'
import { useSignedInUser } from '../../api/app-state.tsx'
import { RetryButtons } from './retry-buttons.tsx'
import { hasNothingRecorded, isActiveStatus, MEETING_END_REASON_TEXTS } from '../meeting-labels.ts'
import { TextLink } from '../../ui/links.tsx'

/** Says why the bot is not in the meeting, and what the user can do. */
export function MeetingStatusNotice({ meeting }: { meeting: ApiMeetingDetail }) {
  const { status, reason } = meeting
  if (reason === null || isActiveStatus(status)) return null
  if (MEETING_END_REASON_TEXTS[reason].nextStep === undefined && !hasNothingRecorded(meeting))
    return null
  return <EndedNotice meeting={meeting} reason={reason} />
}

/** Why a meeting ended before anything was recorded, what helps, and the buttons for it. */
function EndedNotice({ meeting, reason }: { meeting: ApiMeetingDetail; reason: EndReason }) {
  const { meetingId, status, detail, evidenceCount } = meeting
  const { what, nextStep, accountHelps, needsNewLink, checksHelp, ...text } =
    MEETING_END_REASON_TEXTS[reason]
  const isAdmin = useSignedInUser().role === 'admin'
  const [headline, more] =
    text.detail === 'headline' && detail !== null ? splitFirstSentence(detail) : [what, null]
  const isDetailBelow =
    text.detail === 'below' || (text.detail === 'below with account' && meeting.account !== null)
  const lines = [
    isDetailBelow && detail !== what ? detail : null,
    more,
    describeTimeInCall(meeting),
  ]
  return (
    <div className={status === 'error' ? 'notice notice-error' : 'notice'} role="note">
      <Stack gap={4}>
        <Text fw={650} className="break-anywhere">
          {headline}
        </Text>
        {lines.map(
          (line) =>
            line !== null && (
              <Text key={line} size="sm" className="break-anywhere">
                {line}
              </Text>
            ),
        )}
        {nextStep && more === null && <Text size="sm">{nextStep}</Text>}
        <RetryButtons
          meeting={meeting}
          accountHelps={accountHelps ?? false}
          needsNewLink={needsNewLink ?? false}
        />
        <Group gap="md">
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
          {checksHelp && isAdmin && (
            <TextLink to="/system" size="sm">
              Open system checks
            </TextLink>
          )}
        </Group>
      </Stack>
    </div>
  )
}

/** The server's texts end without a full stop. */
function splitFirstSentence(text: string): [string, string | null] {
  const end = text.indexOf('. ')
  return end < 0 ? [`${text}.`, null] : [text.slice(0, end + 1), `${text.slice(end + 2)}.`]
}

/** Null unless the bot was in the call but no one spoke, or no captions came. */
function describeTimeInCall(meeting: ApiMeetingDetail): string | null {
  const { liveAt, endedAt } = meeting
  if (liveAt === null || endedAt === null || !hasNothingRecorded(meeting)) return null
  const time = formatDurationWithUnits(Date.parse(endedAt) - Date.parse(liveAt))
  return `The bot was in the meeting for ${time}, and no captions came in that time.`
}
