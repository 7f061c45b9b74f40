import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { WireUpcomingMeeting } from '../../src/http/shapes/calendars.ts'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/browser-time-zone.ts'
import { formatUtc } from '../ui/format/time.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { TitleLink } from '../ui/links.tsx'
import { CancelMeetingButton } from './cancel-meeting-button.tsx'
import { StopAttendingDialog } from './stop-attending-dialog.tsx'
import { useChangeAttendance } from './queries.ts'
import { formatTimeRange, isInProgress } from './upcoming-days.ts'
import { CAN_BE_OVERRULED, shortenTitle } from './upcoming-labels.ts'
import { Name } from '../ui/format/name.tsx'

interface UpcomingItemProps {
  meeting: WireUpcomingMeeting
  now: number
}

/** One meeting in the list, with a switch for this meeting only. */
export function UpcomingItem({ meeting, now }: UpcomingItemProps) {
  const { id, startsAt, calendarId, meetingId, willJoin } = meeting
  const change = useChangeAttendance()
  const joinSwitch = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState(willJoin)
  const [isAsking, setAsking] = useState(false)
  const action = useAction(async (attend: boolean | null) => {
    setWanted(attend ?? willJoin)
    await change(id, attend)
    // The button that lets the rules decide disappears when it is clicked.
    if (attend === null) (joinSwitch.current ?? document.getElementById('main'))?.focus()
  })
  const switchTo = (attend: boolean) => {
    // An existing meeting may have a bot in the call, which would leave.
    if (!attend && meetingId !== null) setAsking(true)
    else void action.run(attend)
  }
  return (
    <li>
      <Stack gap={2} align="flex-start">
        <time dateTime={startsAt} title={formatUtc(startsAt)} className="figures">
          {formatTimeRange(meeting, BROWSER_TIME_ZONE)}
        </time>
        {isInProgress(meeting, now) && (
          <Badge className="badge badge-moss" variant="default" radius="sm" tt="none">
            Now
          </Badge>
        )}
      </Stack>
      <MeetingText meeting={meeting} />
      <Stack gap={6} align="flex-end">
        {calendarId === null ? (
          <CancelMeetingButton meeting={meeting} />
        ) : (
          CAN_BE_OVERRULED[meeting.reason] && (
            <Switch
              ref={joinSwitch}
              label="Join"
              aria-label={`Join “${shortenTitle(meeting.title)}”`}
              labelPosition="left"
              checked={action.isRunning ? wanted : willJoin}
              onChange={(event) => switchTo(event.currentTarget.checked)}
            />
          )
        )}
        {calendarId !== null && meeting.attend !== null && (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Back to the rules for “${shortenTitle(meeting.title)}”`}
            onClick={() => void action.run(null)}
          >
            Back to the rules
          </Button>
        )}
      </Stack>
      {isAsking && <StopAttendingDialog meeting={meeting} onClose={() => setAsking(false)} />}
      {action.error ? (
        <div className="upcoming-error">
          <ErrorBox error={action.error} />
        </div>
      ) : null}
    </li>
  )
}

function MeetingText({ meeting }: { meeting: WireUpcomingMeeting }) {
  const { meetingId, title, calendarName, project, platform, label, willJoin, reasonText } = meeting
  const shownTitle = (
    <Text span inherit fw={600} lineClamp={3} className="break-anywhere">
      <Name>{title}</Name>
    </Text>
  )
  return (
    <div className="upcoming-main">
      {meetingId === null ? (
        shownTitle
      ) : (
        <TitleLink to="/meetings/$meetingId" params={{ meetingId }}>
          {shownTitle}
        </TitleLink>
      )}
      <div className="upcoming-facts">
        <span className="break-anywhere">
          {calendarName === null ? 'Added by link' : <bdi>{calendarName}</bdi>}
        </span>
        <span className="break-anywhere">
          Project <bdi>{project}</bdi>
        </span>
        {platform !== null && <span title={label ?? undefined}>{PLATFORM_LABELS[platform]}</span>}
      </div>
      {/* Always rendered, because screen readers announce only changes of a region that exists. */}
      <Group gap={6} aria-live="polite">
        {!willJoin && <Text size="sm">Hansard won’t join. {reasonText}.</Text>}
        {willJoin && meeting.reason === 'no_bot_free' && <Text size="sm">{reasonText}.</Text>}
        {willJoin && meeting.attend === true && <Text size="sm">Joins because you chose to.</Text>}
      </Group>
    </div>
  )
}
