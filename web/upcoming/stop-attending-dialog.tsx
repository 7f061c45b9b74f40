import type { WireUpcomingMeeting } from '../../src/http/shapes/calendars.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { useChangeAttendance } from './queries.ts'
import { shortenTitle } from './upcoming-labels.ts'

interface StopAttendingDialogProps {
  meeting: WireUpcomingMeeting
  onClose: () => void
}

/** Asks before a meeting's bot is stopped. That can't be undone, because the next bot begins a new transcript. */
export function StopAttendingDialog({ meeting: { id, title }, onClose }: StopAttendingDialogProps) {
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
