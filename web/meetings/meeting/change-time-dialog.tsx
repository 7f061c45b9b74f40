import { Text } from '@mantine/core'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../api/app-state.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Form } from '../../ui/forms/form.tsx'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { JoinTimeField, readJoinTimeField } from '../join-time-field.tsx'
import { useRefreshMeetings } from '../queries.ts'

interface ChangeTimeDialogProps {
  meeting: WireMeetingDetail
  onClose: () => void
}

/** Changes when the bot of a scheduled meeting joins. */
export function ChangeTimeDialog({ meeting, onClose }: ChangeTimeDialogProps) {
  const api = useApi()
  const refresh = useRefreshMeetings()
  const action = useAction(async (values: FormData) => {
    await api.meetings.update(meeting.meetingId, readJoinTimeField(values))
    onClose()
    await refresh()
  })
  return (
    <Dialog title="Change the time" onClose={onClose}>
      <Form action={action}>
        <Text size="sm">The bot joins “{meeting.title}” at this time, in your time zone.</Text>
        <JoinTimeField label="Join at" defaultTime={meeting.startedAt} isRequired />
        <FormButtons isRunning={action.isRunning} onCancel={onClose}>
          Change
        </FormButtons>
      </Form>
    </Dialog>
  )
}
