import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { Form, readFormText } from '../../../ui/forms/form.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'
import { useRefreshMeetings } from '../../queries.ts'

interface RenameMeetingDialogProps {
  meeting: WireMeetingDetail
  onClose: () => void
}

export function RenameMeetingDialog({ meeting, onClose }: RenameMeetingDialogProps) {
  const api = useApi()
  const refresh = useRefreshMeetings()
  const action = useAction(async (values: FormData) => {
    await api.meetings.update(meeting.meetingId, { title: readFormText(values, 'title') })
    onClose()
    await refresh()
  })
  return (
    <Dialog title="Rename meeting" onClose={onClose}>
      <Form action={action}>
        <TextField
          name="title"
          label="Title"
          description="Its document and the search get the new title too. The document’s file keeps its name, so links to it still work."
          defaultValue={meeting.title}
          maxLength={200}
          autoComplete="off"
          hasAutofocus
        />
        <FormButtons isRunning={action.isRunning} onCancel={onClose}>
          Rename
        </FormButtons>
      </Form>
    </Dialog>
  )
}
