import { NativeSelect, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cleanParticipantName } from '../../../../src/language/person-names.ts'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Name } from '../../../ui/format/name.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { Form, readFormText } from '../../../ui/forms/form.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'
import { isActiveStatus } from '../../meeting-labels.ts'
import { speakerDisplayName } from '../../speakers/speaker.ts'

interface RenameSpeakerDialogProps {
  meeting: WireMeetingDetail
  /** The speaker that was pressed. If undefined, the dialog asks for one. */
  speaker: string | undefined
  onClose: () => void
}

/** Gives a speaker another name, or the name of another speaker, which merges the two. */
export function RenameSpeakerDialog({ meeting, speaker, onClose }: RenameSpeakerDialogProps) {
  const api = useApi()
  const queries = useQueryClient()
  const speakers = meeting.talkTime.map((one) => one.speaker)
  const names = [...new Set([...speakers, ...meeting.participants.map(({ name }) => name)])]
    .map(speakerDisplayName)
    .toSorted((a, b) => a.localeCompare(b))
  const [from, setFrom] = useState(speakerDisplayName(speaker ?? speakers[0] ?? ''))
  const [to, setTo] = useState(from)
  // The name in the form that the service stores, for example without “(Guest)”.
  const newName = cleanParticipantName(to)
  const isMerge = newName !== from && names.includes(newName)
  const action = useAction(async (values: FormData) => {
    const body = { from, to: readFormText(values, 'to') }
    await api.meetings.speakersRename(meeting.meetingId, body)
    onClose()
    await queries.invalidateQueries()
  })
  return (
    <Dialog title="Rename a speaker" onClose={onClose}>
      <Form action={action}>
        {speaker === undefined && (
          <NativeSelect
            label="Speaker"
            value={from}
            data={names}
            data-autofocus
            onChange={(event) => {
              setFrom(event.currentTarget.value)
              setTo(event.currentTarget.value)
            }}
          />
        )}
        <TextField
          key={from}
          name="to"
          label="New name"
          description={describeEffect(meeting)}
          defaultValue={from}
          maxLength={200}
          autoComplete="off"
          hasAutofocus={speaker !== undefined}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        {isMerge && (
          <Text size="sm" role="status">
            <Name>{newName}</Name> is already in this meeting. Their lines are shown together as one
            speaker. You can undo this in the history.
          </Text>
        )}
        <FormButtons isRunning={action.isRunning} isDisabled={to.trim() === ''} onCancel={onClose}>
          Rename
        </FormButtons>
      </Form>
    </Dialog>
  )
}

function describeEffect({ status }: WireMeetingDetail): string {
  return isActiveStatus(status)
    ? 'For this meeting only: the transcript so far, and what they say from now on.'
    : 'For this meeting only: transcript, recap, document and search.'
}
