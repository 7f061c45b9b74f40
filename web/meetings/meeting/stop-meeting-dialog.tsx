import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../api/app-state.tsx'
import { useRefreshMeetings } from '../queries.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'

export function StopMeetingDialog({
  meeting,
  onClose,
}: {
  meeting: WireMeetingDetail
  onClose: () => void
}) {
  const api = useApi()
  const refresh = useRefreshMeetings()
  const isScheduled = meeting.status === 'scheduled'
  return (
    <ConfirmDialog
      title={`${isScheduled ? 'Cancel' : 'Stop'} “${meeting.title}”?`}
      confirmLabel={isScheduled ? 'Cancel meeting' : 'Stop and leave'}
      {...(isScheduled && { dismissLabel: 'Keep' })}
      onClose={onClose}
      onConfirm={async () => {
        await api.meetings.stop({ meetingId: meeting.meetingId })
        await refresh()
      }}
    >
      {isScheduled
        ? 'Hansard will not join this meeting.'
        : 'The bot leaves the meeting and the transcript ends here. The transcript so far is saved.'}
    </ConfirmDialog>
  )
}
