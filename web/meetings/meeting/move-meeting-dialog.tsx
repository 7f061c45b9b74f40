import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { WhoMayRead } from '../../access/who-may-read.tsx'
import { useApi } from '../../api/app-state.tsx'
import { useShares } from '../../sharing/queries.ts'
import { canRevokeShare } from '../../sharing/share-labels.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { formatCountWithNoun } from '../../ui/format/format-text.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { Form, readFormText } from '../../ui/forms/form.tsx'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

interface MoveMeetingDialogProps {
  meeting: WireMeetingDetail
  onClose: () => void
}

/** Moves an ended meeting to another project, with everything that belongs to it. */
export function MoveMeetingDialog({ meeting, onClose }: MoveMeetingDialogProps) {
  const { meetingId } = meeting
  const api = useApi()
  const queries = useQueryClient()
  const [project, setProject] = useState('')
  const action = useAction(async (values: FormData) => {
    await api.meetings.update(meetingId, { project: readFormText(values, 'project') })
    onClose()
    await queries.invalidateQueries()
  })
  return (
    <Dialog title="Move to another project" onClose={onClose}>
      <Form action={action}>
        <Text size="sm">
          The meeting is in the project {meeting.project}. Its transcript, document, recap and
          callbacks move with it. <EndingShares meetingId={meetingId} />
        </Text>
        <TextField
          name="project"
          label="New project"
          description="A project that does not exist is created"
          maxLength={64}
          autoComplete="off"
          hasAutofocus
          onChange={(event) => setProject(event.currentTarget.value)}
        />
        {project.trim() !== '' && <WhoMayRead project={project} what="the meeting" />}
        <FormButtons isRunning={action.isRunning} onCancel={onClose}>
          Move
        </FormButtons>
      </Form>
    </Dialog>
  )
}

/** Only owners can count the links. Other users read that there may be some. */
function EndingShares({ meetingId }: { meetingId: string }) {
  const { data } = useShares({ meetingId })
  if (data === undefined) return 'Share links to it will stop working.'
  const ending = data.shares.filter(({ state }) => canRevokeShare(state)).length
  return ending === 0 ? null : `${formatCountWithNoun(ending, 'share link')} will stop working.`
}
