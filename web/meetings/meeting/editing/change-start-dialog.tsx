import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Form, readFormText } from '../../../ui/forms/form.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'
import { LocalTimeField } from '../../join-time-field.tsx'
import { useRefreshMeetings } from '../../queries.ts'

interface ChangeStartDialogProps {
  meeting: WireMeetingDetail
  onClose: () => void
}

/** Changes when an imported meeting started. */
export function ChangeStartDialog({ meeting, onClose }: ChangeStartDialogProps) {
  const api = useApi()
  const refresh = useRefreshMeetings()
  const action = useAction(async (values: FormData) => {
    const startedAt = new Date(readFormText(values, 'startedAt')).toISOString()
    await api.meetings.update(meeting.meetingId, { startedAt })
    onClose()
    await refresh()
  })
  return (
    <Dialog title="Change date" onClose={onClose}>
      <Form action={action}>
        <LocalTimeField
          name="startedAt"
          label="Started"
          description="All times of the transcript move with it. The recap is made again, so that dates such as “Friday” are right."
          defaultTime={meeting.startedAt}
          isRequired
        />
        <FormButtons isRunning={action.isRunning} onCancel={onClose}>
          Save
        </FormButtons>
      </Form>
    </Dialog>
  )
}
