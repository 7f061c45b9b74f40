import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { OfficialMode } from '../../../../src/http/shapes/values.ts'
import type { ApiClient } from '../../../api/client.ts'
import { FormDialog } from '../../../ui/dialogs.tsx'
import { SelectField, toOptions } from '../../../ui/fields.tsx'
import { readFormText } from '../../../ui/forms.tsx'
import { OFFICIAL_MODE_LABELS } from '../../official-labels.ts'

interface OfficialTranscriptDialogProps {
  meeting: ApiMeetingDetail
  onClose: () => void
}

/** Changes what the official transcript of a meeting that a bot attended is used for. */
export function OfficialTranscriptDialog({ meeting, onClose }: OfficialTranscriptDialogProps) {
  const submit = async (api: ApiClient, values: FormData) => {
    const officialTranscript = readFormText(values, 'officialTranscript') as OfficialMode
    await api.meetings.update(meeting.meetingId, { officialTranscript })
  }
  return (
    <FormDialog
      title="Official transcript"
      submitLabel="Save"
      onSubmit={submit}
      reloads={['meetings', 'meeting']}
      onClose={onClose}
    >
      <SelectField
        name="officialTranscript"
        label="Use in this meeting"
        description="Document, search and recap follow. Comments stay at the line that was said at the same time. Times that a participant paused stay empty."
        data={toOptions(OFFICIAL_MODE_LABELS)}
        defaultValue={meeting.officialTranscript ?? 'keep'}
        hasAutofocus
      />
    </FormDialog>
  )
}
