import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { MeetingEnding, MeetingStatusBadge } from '../meeting-status-badge.tsx'
import { PLATFORM_LABELS, isActiveStatus } from '../meeting-labels.ts'
import { formatSecondsAsClock, formatCountWithNoun } from '../../ui/format/format-text.ts'
import { BackLink } from '../../ui/links.tsx'
import { PageTitle } from '../../ui/layout/page-title.tsx'
import { Time, useNowEverySecond } from '../../ui/format/time.tsx'
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts'
import { ExportMenu } from './export-menu.tsx'
import { ShareDialog } from '../../sharing/share-dialog.tsx'
import { OtherAttemptLinks } from './failed-join/other-attempt-links.tsx'
import { ChangeTimeDialog } from './change-time-dialog.tsx'
import { useCanEditMeeting } from './editing/edit-dialogs.tsx'
import { EditedMark, MoreMenu } from './editing/more-menu.tsx'
import { NotifyButton } from './live/notify-button.tsx'
import { meetingTabTitle } from './live/tab-title.ts'
import { StopMeetingDialog } from './stop-meeting-dialog.tsx'

/** Title, status and actions of a meeting. */
export function MeetingHeader({ meeting }: { meeting: WireMeetingDetail }) {
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
function MeetingFacts({ meeting }: { meeting: WireMeetingDetail }) {
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
