import { Text, NativeSelect, Stack, Group, Button } from '@mantine/core'
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState, createContext, use } from 'react'
import { FormDialog, Dialog } from '../../../ui/dialogs.tsx'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { cleanParticipantName } from '../../../../src/language/person-names.ts'
import { useProjectRights } from '../../../access/queries.ts'
import { WhoMayRead } from '../../../access/who-may-read.tsx'
import { useApi } from '../../../api/use-api.tsx'
import { LocalTimeField } from '../../join-time-field.tsx'
import { isActiveStatus } from '../../meeting-labels.ts'
import { OFFICIAL_MODE_LABELS } from '../../official-labels.ts'
import type { OfficialMode } from '../../../../src/http/shapes/values.ts'
import { OfficialTranscriptDialog } from './official-transcript-dialog.tsx'
import { DeleteMeetingDialog } from './delete-meeting-dialog.tsx'
import { speakerDisplayName } from '../../speakers/speaker.ts'
import { useShares, canRevokeShare } from '../../../sharing/share-list.tsx'
import { formatCountWithNoun } from '../../../ui/format/format-text.ts'
import { Name } from '../../../ui/links.tsx'
import { readFormText, useAction } from '../../../ui/forms.tsx'
import type { ApiMeetingEdit } from '../../../../src/http/shapes/meetings/edits.ts'
import { ErrorBox, QueryView } from '../../../ui/feedback/feedback.tsx'
import { Time } from '../../../ui/format/time.tsx'
import type { ApiClient } from '../../../api/client.ts'
import { TextField } from '../../../ui/fields.tsx'
import { Hint } from '../../../ui/text.tsx'

/** The open dialog. `speaker` is the name that was pressed in the transcript. */
type EditDialog =
  | { kind: 'title' | 'start' | 'official' | 'move' | 'delete' | 'history' }
  | { kind: 'speaker'; speaker?: string }

/** The function never changes, so that a transcript's lines are not rendered again. */
const OpenEditDialogContext = createContext<((dialog: EditDialog) => void) | null>(null)

/** True if the signed-in user may change this page's meeting. Read once for the whole page. */
const CanEditContext = createContext(false)

export function useCanEditMeeting(): boolean {
  return use(CanEditContext)
}

/** Opens a dialog that edits this page's meeting. Null outside a meeting's page. */
export function useOpenEditDialog(): ((dialog: EditDialog) => void) | null {
  return use(OpenEditDialogContext)
}

interface EditDialogsProps {
  meeting: ApiMeetingDetail
  children: ReactNode
}

/** Lets everything on a meeting's page open the dialogs that edit it. */
export function EditDialogs({ meeting, children }: EditDialogsProps) {
  const [dialog, setDialog] = useState<EditDialog | null>(null)
  const { canEdit } = useProjectRights(meeting.project)
  const close = () => setDialog(null)
  const shared = { meeting, onClose: close }
  return (
    <OpenEditDialogContext value={setDialog}>
      <CanEditContext value={canEdit}>{children}</CanEditContext>
      {dialog?.kind === 'title' && <RenameMeetingDialog {...shared} />}
      {dialog?.kind === 'start' && <ChangeStartDialog {...shared} />}
      {dialog?.kind === 'speaker' && <RenameSpeakerDialog {...shared} speaker={dialog.speaker} />}
      {dialog?.kind === 'official' && <OfficialTranscriptDialog {...shared} />}
      {dialog?.kind === 'move' && <MoveMeetingDialog {...shared} />}
      {dialog?.kind === 'delete' && <DeleteMeetingDialog {...shared} />}
      {dialog?.kind === 'history' && <EditHistoryDialog {...shared} canEdit={canEdit} />}
    </OpenEditDialogContext>
  )
}

interface EditDialogProps {
  meeting: ApiMeetingDetail
  onClose: () => void
}

/** Changes when an imported meeting started. */
function ChangeStartDialog({ meeting, onClose }: EditDialogProps) {
  const submit = async (api: ApiClient, values: FormData) => {
    const startedAt = new Date(readFormText(values, 'startedAt')).toISOString()
    await api.meetings.update(meeting.meetingId, { startedAt })
  }
  return (
    <FormDialog
      title="Change date"
      submitLabel="Save"
      onSubmit={submit}
      reloads={['meetings', 'meeting']}
      onClose={onClose}
    >
      <LocalTimeField
        name="startedAt"
        label="Started"
        description="All times of the transcript move with it. The recap is made again, so that dates such as “Friday” are right."
        defaultTime={meeting.startedAt}
        isRequired
      />
    </FormDialog>
  )
}

function RenameMeetingDialog({ meeting, onClose }: EditDialogProps) {
  const submit = async (api: ApiClient, values: FormData) => {
    await api.meetings.update(meeting.meetingId, { title: readFormText(values, 'title') })
  }
  return (
    <FormDialog
      title="Rename meeting"
      submitLabel="Rename"
      onSubmit={submit}
      reloads={['meetings', 'meeting']}
      onClose={onClose}
    >
      <TextField
        name="title"
        label="Title"
        description="Its document and the search get the new title too. The document’s file keeps its name, so links to it still work."
        defaultValue={meeting.title}
        maxLength={200}
        hasAutofocus
      />
    </FormDialog>
  )
}

/** Moves an ended meeting to another project, with everything that belongs to it. */
function MoveMeetingDialog({ meeting, onClose }: EditDialogProps) {
  const { meetingId } = meeting
  const queries = useQueryClient()
  const [project, setProject] = useState('')
  const submit = async (api: ApiClient, values: FormData) => {
    await api.meetings.update(meetingId, { project: readFormText(values, 'project') })
    await queries.invalidateQueries()
  }
  return (
    <FormDialog
      title="Move to another project"
      submitLabel="Move"
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        The meeting is in the project {meeting.project}. Its transcript, document, recap and
        callbacks move with it. <EndingShares meetingId={meetingId} />
      </Text>
      <TextField
        name="project"
        label="New project"
        description="A project that does not exist is created"
        maxLength={64}
        hasAutofocus
        onChange={(event) => setProject(event.currentTarget.value)}
      />
      {project.trim() !== '' && <WhoMayRead project={project} what="the meeting" />}
    </FormDialog>
  )
}

/** Only owners can count the links. Other users read that there may be some. */
function EndingShares({ meetingId }: { meetingId: string }) {
  const { data } = useShares({ meetingId })
  if (data === undefined) return 'Share links to it will stop working.'
  const ending = data.shares.filter(({ state }) => canRevokeShare(state)).length
  return ending === 0 ? null : `${formatCountWithNoun(ending, 'share link')} will stop working.`
}

interface RenameSpeakerDialogProps {
  meeting: ApiMeetingDetail
  /** The speaker that was pressed. If undefined, the dialog asks for one. */
  speaker: string | undefined
  onClose: () => void
}

/** Gives a speaker another name, or the name of another speaker, which merges the two. */
function RenameSpeakerDialog({ meeting, speaker, onClose }: RenameSpeakerDialogProps) {
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
  const submit = async (api: ApiClient, values: FormData) => {
    const body = { from, to: readFormText(values, 'to') }
    await api.meetings.speakersRename(meeting.meetingId, body)
    await queries.invalidateQueries()
  }
  return (
    <FormDialog
      title="Rename a speaker"
      submitLabel="Rename"
      isDisabled={to.trim() === ''}
      onSubmit={submit}
      onClose={onClose}
    >
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
        hasAutofocus={speaker !== undefined}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      {isMerge && (
        <Text size="sm" role="status">
          <Name>{newName}</Name> is already in this meeting. Their lines are shown together as one
          speaker. You can undo this in the history.
        </Text>
      )}
    </FormDialog>
  )
}

function describeEffect({ status }: ApiMeetingDetail): string {
  return isActiveStatus(status)
    ? 'For this meeting only: the transcript so far, and what they say from now on.'
    : 'For this meeting only: transcript, recap, document and search.'
}

interface EditHistoryDialogProps {
  meeting: ApiMeetingDetail
  canEdit: boolean
  onClose: () => void
}

const KIND_LABELS = {
  title: 'Title',
  speaker: 'Speaker',
  start: 'Date',
  lines: 'Official transcript',
} as const satisfies Record<ApiMeetingEdit['kind'], string>

/** Who changed what, newest first. The newest change of each kind can be undone. */
function EditHistoryDialog({ meeting, canEdit, onClose }: EditHistoryDialogProps) {
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
        <ErrorBox error={undo.error} />
        <QueryView query={query} label="the history">
          {({ edits }) =>
            edits.length === 0 ? (
              <Hint>Nobody has changed this meeting.</Hint>
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
        <Hint size="xs">
          <Name>{by}</Name>, <Time at={at} show="minute" />
        </Hint>
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
  if (edit.kind === 'lines') return describeChoice(value ?? 'keep')
  return <Name>{value ?? 'no title'}</Name>
}

/** A choice is a mode, and how many parts it uses if there are several. */
function describeChoice(choice: string): string {
  const [mode = 'keep', parts] = choice.split(' ')
  const label = OFFICIAL_MODE_LABELS[mode as OfficialMode].toLowerCase()
  return parts === undefined ? label : `${label} (${parts} parts)`
}
