import { Group, Stack, Button, Text, Menu, Anchor } from '@mantine/core'
import { useState } from 'react'
import { FormDialog, ConfirmDialog } from '../../ui/dialogs.tsx'
import type { ApiMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import type { MeetingStatus } from '../../../src/http/shapes/values.ts'
import { JoinTimeField, readJoinTimeField } from '../join-time-field.tsx'
import { PLATFORM_LABELS, isActiveStatus } from '../meeting-labels.ts'
import { MeetingEnding, MeetingStatusBadge } from '../meeting-status-badge.tsx'
import { useCanEditMeeting, useOpenEditDialog } from './editing/edit-dialogs.tsx'
import { ExportMenu } from './export-menu.tsx'
import { ShareDialog } from '../../sharing/share-dialog.tsx'
import { formatSecondsAsClock, formatCountWithNoun } from '../../ui/format/format-text.ts'
import { Time, useNowEverySecond } from '../../ui/format/time.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { PageTitle } from '../../ui/layout.tsx'
import { BackLink, TextLink, meetingPage } from '../../ui/links.tsx'
import { useProjectRights } from '../../access/queries.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { followMeeting, unfollowMeeting, useIsFollowed } from './live/followed-meetings.ts'
import type { ApiClient } from '../../api/client.ts'

/** Title, status and actions of a meeting. */
export function MeetingHeader({ meeting }: { meeting: ApiMeetingDetail }) {
  const [isAsking, setAsking] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const [isChangingTime, setChangingTime] = useState(false)
  const [notifyMessage, setNotifyMessage] = useState('')
  const canEdit = useCanEditMeeting()
  const isScheduled = meeting.status === 'scheduled'
  const isRunning = isActiveStatus(meeting.status) && meeting.status !== 'stopping'
  const canStop = canEdit && isRunning
  useShortcuts({
    s: () => canStop && setAsking(true),
    e: () => setExporting(true),
  })
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={4} flex="1 1 240px" miw={0}>
        <BackLink to="/meetings">Meetings</BackLink>
        <div className="break-anywhere">
          <PageTitle tabTitle={meetingTabTitle(meeting)}>{meeting.title}</PageTitle>
        </div>
        <Group gap="sm">
          <MeetingStatusBadge status={meeting.status} />
          <MeetingEnding meeting={meeting} size="sm" />
          {meeting.liveAt !== null && <Elapsed from={meeting.liveAt} until={meeting.endedAt} />}
          <MeetingFacts meeting={meeting} />
          <EditedMark meeting={meeting} />
          <OtherAttemptLinks meeting={meeting} />
        </Group>
      </Stack>
      <Group gap="xs">
        {canStop && (
          <Button variant="default" size="sm" onClick={() => setAsking(true)}>
            {isScheduled ? 'Cancel meeting' : 'Stop'}
          </Button>
        )}
        {isRunning && <NotifyButton meeting={meeting} onMessage={setNotifyMessage} />}
        {canEdit && isScheduled && (
          <Button variant="default" size="sm" onClick={() => setChangingTime(true)}>
            Change time
          </Button>
        )}
        {!isScheduled && (
          <>
            <Button variant="default" size="sm" onClick={() => setSharing(true)}>
              Share
            </Button>
            <ExportMenu meeting={meeting} isOpen={isExporting} onChange={setExporting} />
          </>
        )}
        <MoreMenu meeting={meeting} />
      </Group>
      <Text size="sm" role="status" className="notify-message">
        {notifyMessage}
      </Text>
      {isSharing && (
        <ShareDialog subject={{ meetingId: meeting.meetingId }} onClose={() => setSharing(false)} />
      )}
      {isChangingTime && (
        <ChangeTimeDialog meeting={meeting} onClose={() => setChangingTime(false)} />
      )}
      {isAsking && <StopMeetingDialog meeting={meeting} onClose={() => setAsking(false)} />}
    </Group>
  )
}

/** Each fact begins with its dot, so that no line ends with one. */
function MeetingFacts({ meeting }: { meeting: ApiMeetingDetail }) {
  const { platform, project, participantCount, endedAt, startedAt } = meeting
  return (
    <Text size="sm" c="dimmed" className="break-anywhere meeting-facts">
      <span>{PLATFORM_LABELS[platform]}</span> <span>project {project}</span>{' '}
      {participantCount > 0 && (
        <span>
          {endedAt === null
            ? `${participantCount} present`
            : formatCountWithNoun(participantCount, 'participant')}
        </span>
      )}{' '}
      <span>
        <Time at={startedAt} show="minute" />
      </span>
    </Text>
  )
}

function Elapsed({ from, until }: { from: string; until: string | null }) {
  const now = useNowEverySecond()
  const end = until === null ? now : Date.parse(until)
  return (
    <Text span size="sm" className="figures one-line">
      {formatSecondsAsClock((end - Date.parse(from)) / 1000)}
    </Text>
  )
}

/** The prefix of a meeting's title in the browser tab, so that a background tab shows the meeting's status. */
const STATUS_PREFIXES: Record<MeetingStatus, string> = {
  scheduled: '',
  awaiting_transcript: '',
  joining: 'Joining · ',
  lobby: 'Waiting in the lobby · ',
  live: '● Live · ',
  stopping: 'Leaving · ',
  leaving: 'Leaving · ',
  ended: '',
  error: 'Failed · ',
}

function meetingTabTitle({ status, title }: Pick<ApiMeetingDetail, 'status' | 'title'>): string {
  return `${STATUS_PREFIXES[status]}${title}`
}

/** Links from a meeting to the previous and the next attempt. */
function OtherAttemptLinks({ meeting }: { meeting: ApiMeetingDetail }) {
  const { retryOf, retriedAs } = meeting
  return (
    <>
      {retryOf !== null && (
        <TextLink {...meetingPage(retryOf)} size="sm">
          Earlier attempt
        </TextLink>
      )}
      {retriedAs !== null && (
        <TextLink {...meetingPage(retriedAs.meetingId)} size="sm">
          Later attempt
        </TextLink>
      )}
    </>
  )
}

interface ChangeTimeDialogProps {
  meeting: ApiMeetingDetail
  onClose: () => void
}

/** Changes when the bot of a scheduled meeting joins. */
function ChangeTimeDialog({ meeting, onClose }: ChangeTimeDialogProps) {
  const submit = async (api: ApiClient, values: FormData) => {
    await api.meetings.update(meeting.meetingId, readJoinTimeField(values))
  }
  return (
    <FormDialog
      title="Change the time"
      submitLabel="Change"
      onSubmit={submit}
      reloads={['meetings', 'meeting']}
      onClose={onClose}
    >
      <Text size="sm">The bot joins “{meeting.title}” at this time, in your time zone.</Text>
      <JoinTimeField label="Join at" defaultTime={meeting.startedAt} isRequired />
    </FormDialog>
  )
}

function StopMeetingDialog({
  meeting,
  onClose,
}: {
  meeting: ApiMeetingDetail
  onClose: () => void
}) {
  const isScheduled = meeting.status === 'scheduled'
  return (
    <ConfirmDialog
      title={`${isScheduled ? 'Cancel' : 'Stop'} “${meeting.title}”?`}
      confirmLabel={isScheduled ? 'Cancel meeting' : 'Stop and leave'}
      {...(isScheduled && { dismissLabel: 'Keep' })}
      onClose={onClose}
      onConfirm={(api) => api.meetings.stop({ meetingId: meeting.meetingId })}
      reloads={['meetings', 'meeting']}
    >
      {isScheduled
        ? 'Hansard will not join this meeting.'
        : 'The bot leaves the meeting and the transcript ends here. The transcript so far is saved.'}
    </ConfirmDialog>
  )
}

/** Further actions for a meeting. */
function MoreMenu({ meeting }: { meeting: ApiMeetingDetail }) {
  const open = useOpenEditDialog()
  const { canEdit, canMoveOut } = useProjectRights(meeting.project)
  if (open === null) return null
  const isScheduled = meeting.status === 'scheduled'
  const isOver = !isScheduled && !isActiveStatus(meeting.status)
  const hasSpeakers = meeting.talkTime.length > 0
  const canBeMoved = isScheduled || isOver
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default" size="sm">
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {canEdit && <Menu.Item onClick={() => open({ kind: 'title' })}>Rename…</Menu.Item>}
        {canEdit && meeting.platform === 'imported' && (
          <Menu.Item onClick={() => open({ kind: 'start' })}>Change date…</Menu.Item>
        )}
        {canEdit && hasSpeakers && (
          <Menu.Item onClick={() => open({ kind: 'speaker' })}>Rename a speaker…</Menu.Item>
        )}
        {canEdit && meeting.officialTranscript !== null && (
          <Menu.Item onClick={() => open({ kind: 'official' })}>Official transcript…</Menu.Item>
        )}
        {canMoveOut && canBeMoved && (
          <Menu.Item onClick={() => open({ kind: 'move' })}>Move to a project…</Menu.Item>
        )}
        <Menu.Item onClick={() => open({ kind: 'history' })}>History</Menu.Item>
        {canEdit && isOver && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => open({ kind: 'delete' })}>
              Delete…
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Says that people changed the meeting, and links to their changes. */
function EditedMark({ meeting }: { meeting: ApiMeetingDetail }) {
  const open = useOpenEditDialog()
  if (open === null || meeting.editCount === 0) return null
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => open({ kind: 'history' })}>
      Edited
    </Anchor>
  )
}

const TEXTS = {
  on: 'This browser tells you when the bot waits in the lobby, can’t join, or the meeting ends. Keep a Hansard tab open: without one, nothing is sent.',
  off: 'Notifications are off for this meeting.',
  denied:
    'Your browser blocks notifications from Hansard. Allow them in the browser’s settings for this site, then try again.',
  dismissed: 'The browser needs your permission to notify you. Try again and choose “Allow”.',
} as const

/** True if this browser can show notifications. Most phones need an installed app for that. */
const isSupported = () => 'Notification' in window && !/Android|iPhone/.test(navigator.userAgent)

interface NotifyButtonProps {
  meeting: ApiMeetingDetail
  /** Called with the result of the button, or why it failed. */
  onMessage: (text: string) => void
}

/** Turns notifications about a meeting on and off. The browser asks for permission only when the button is pressed. */
function NotifyButton({ meeting, onMessage }: NotifyButtonProps) {
  const { meetingId } = meeting
  const isOn = useIsFollowed(meetingId)
  if (!isSupported()) return null
  const toggle = async () => {
    if (isOn) {
      unfollowMeeting(meetingId)
      return onMessage(TEXTS.off)
    }
    const permission = await Notification.requestPermission()
    if (permission !== 'granted') {
      return onMessage(permission === 'denied' ? TEXTS.denied : TEXTS.dismissed)
    }
    followMeeting(meetingId)
    onMessage(TEXTS.on)
  }
  return (
    <Button
      variant="default"
      size="sm"
      aria-pressed={isOn}
      leftSection={isOn ? <CheckIcon /> : undefined}
      onClick={() => void toggle()}
    >
      Notify me
    </Button>
  )
}
