import { Stack, Button, Text, Group, Switch } from '@mantine/core'
import { useRef, useState } from 'react'
import type { ApiUpcomingMeeting } from '../../src/http/shapes/calendars.ts'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { Name, TitleLink, meetingPage } from '../ui/links.tsx'
import { formatUtc } from '../ui/format/time.tsx'
import { useAction } from '../ui/forms.tsx'
import { MeetingBrief } from './meeting-brief.tsx'
import { useChangeAttendance } from './queries.ts'
import { formatTimeRange, isInProgress } from './upcoming-days.ts'
import { CAN_BE_OVERRULED, shortenTitle } from './upcoming-labels.ts'
import { StateBadge } from '../ui/text.tsx'

/** One meeting in the list, with a switch for this meeting only. */
export function UpcomingItem({ meeting, now }: { meeting: ApiUpcomingMeeting; now: number }) {
  const { id, startsAt, calendarId, meetingId, willJoin } = meeting
  const change = useChangeAttendance()
  const joinSwitch = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState(willJoin)
  const [isAsking, setAsking] = useState(false)
  const [hasBrief, setBrief] = useState(false)
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
        {isInProgress(meeting, now) && <StateBadge colour="moss">Now</StateBadge>}
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
        {meeting.reason !== 'cancelled' && (
          <Button
            variant="default"
            size="compact-xs"
            aria-expanded={hasBrief}
            aria-label={`Brief of “${shortenTitle(meeting.title)}”`}
            onClick={() => setBrief((isOpen) => !isOpen)}
          >
            Brief
          </Button>
        )}
      </Stack>
      {hasBrief && <MeetingBrief upcomingId={id} />}
      {isAsking && <StopAttendingDialog meeting={meeting} onClose={() => setAsking(false)} />}
      {action.error ? (
        <div className="upcoming-error">
          <ErrorBox error={action.error} />
        </div>
      ) : null}
    </li>
  )
}

function MeetingText({ meeting }: { meeting: ApiUpcomingMeeting }) {
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
        <TitleLink {...meetingPage(meetingId)}>{shownTitle}</TitleLink>
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

interface StopAttendingDialogProps {
  meeting: ApiUpcomingMeeting
  onClose: () => void
}

/** Asks before a meeting's bot is stopped. That can't be undone, because the next bot begins a new transcript. */
function StopAttendingDialog({ meeting: { id, title }, onClose }: StopAttendingDialogProps) {
  const change = useChangeAttendance()
  return (
    <ConfirmDialog
      title="Stop attending this meeting?"
      confirmLabel="Stop and leave"
      onClose={onClose}
      onConfirm={() => change(id, false)}
    >
      <span className="break-anywhere">
        If the bot is already in <bdi>“{shortenTitle(title)}”</bdi>, it leaves and the transcript
        ends here. The transcript so far is saved. If you turn the switch on again, another bot
        joins and starts a new transcript.
      </span>
    </ConfirmDialog>
  )
}

/** For a meeting that was added by its link. Asks first, because the meeting is gone after its bot is cancelled. */
function CancelMeetingButton({ meeting: { id, title } }: { meeting: ApiUpcomingMeeting }) {
  const change = useChangeAttendance()
  const [isAsking, setAsking] = useState(false)
  const name = shortenTitle(title)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`Cancel “${name}”`}
        onClick={() => setAsking(true)}
      >
        Cancel
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Cancel this meeting?"
          confirmLabel="Don’t join it"
          dismissLabel="Keep it"
          onClose={() => setAsking(false)}
          onConfirm={() => change(id, false)}
        >
          <span className="break-anywhere">
            Hansard will not join <bdi>“{name}”</bdi>. The meeting itself is not changed. To join
            after all, add it again.
          </span>
        </ConfirmDialog>
      )}
    </>
  )
}
