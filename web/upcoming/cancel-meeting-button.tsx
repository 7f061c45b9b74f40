import { Button } from '@mantine/core'
import { useState } from 'react'
import type { WireUpcomingMeeting } from '../../src/http/shapes/calendars.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { useChangeAttendance } from './queries.ts'
import { shortenTitle } from './upcoming-labels.ts'

/** For a meeting that was added by its link. Asks first, because the meeting is gone after its bot is cancelled. */
export function CancelMeetingButton({ meeting: { id, title } }: { meeting: WireUpcomingMeeting }) {
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
