import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiMeetingEdit } from '../../../../src/http/shapes/meetings/edits.ts'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { ErrorBox, QueryView } from '../../../ui/feedback/feedback.tsx'
import { Name } from '../../../ui/format/name.tsx'
import { Time } from '../../../ui/format/time.tsx'
import { useAction } from '../../../ui/forms/form.tsx'

interface EditHistoryDialogProps {
  meeting: ApiMeetingDetail
  canEdit: boolean
  onClose: () => void
}

const KIND_LABELS = { title: 'Title', speaker: 'Speaker', start: 'Date' } as const satisfies Record<
  ApiMeetingEdit['kind'],
  string
>

/** Who changed what, newest first. The newest change of each kind can be undone. */
export function EditHistoryDialog({ meeting, canEdit, onClose }: EditHistoryDialogProps) {
  const api = useApi()
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['meeting', meeting.meetingId, 'edits'],
    queryFn: () => api.meetings.edits(meeting.meetingId),
  })
  const undo = useAction(async (editNumber: number) => {
    await api.meetings.editsUndo(meeting.meetingId, String(editNumber))
    await queries.invalidateQueries()
  })
  return (
    <Dialog title="History" onClose={onClose}>
      <Stack>
        {undo.error ? <ErrorBox error={undo.error} /> : null}
        <QueryView query={query} label="the history">
          {({ edits }) =>
            edits.length === 0 ? (
              <Text size="sm" c="dimmed">
                Nobody has changed this meeting.
              </Text>
            ) : (
              <Stack component="ul" className="edit-history" gap="sm">
                {edits.map((edit) => (
                  <HistoryEntry
                    key={edit.editNumber}
                    edit={edit}
                    canUndo={canEdit && edit.canUndo}
                    isRunning={undo.isRunning}
                    onUndo={() => void undo.run(edit.editNumber)}
                  />
                ))}
              </Stack>
            )
          }
        </QueryView>
      </Stack>
    </Dialog>
  )
}

interface HistoryEntryProps {
  edit: ApiMeetingEdit
  canUndo: boolean
  isRunning: boolean
  onUndo: () => void
}

function HistoryEntry({ edit, canUndo, isRunning, onUndo }: HistoryEntryProps) {
  const { editNumber, kind, from, to, at, by } = edit
  const id = `edit-${editNumber}`
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <div className="break-anywhere">
        <Text size="sm" id={id}>
          {KIND_LABELS[kind]}: <EditedValue edit={edit} value={from} /> →{' '}
          <EditedValue edit={edit} value={to} />
        </Text>
        <Text size="xs" c="dimmed">
          <Name>{by}</Name>, <Time at={at} show="minute" />
        </Text>
      </div>
      {canUndo && (
        <Button
          variant="default"
          size="xs"
          disabled={isRunning}
          aria-describedby={id}
          onClick={onUndo}
        >
          Undo
        </Button>
      )}
    </Group>
  )
}

function EditedValue({ edit, value }: { edit: ApiMeetingEdit; value: string | null }) {
  if (edit.kind === 'start' && value !== null) return <Time at={value} show="minute" />
  return <Name>{value ?? 'no title'}</Name>
}
