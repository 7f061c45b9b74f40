import { createContext, use, useState, type ReactNode } from 'react'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useProjectRights } from '../../../access/use-project-rights.ts'
import { MoveMeetingDialog } from '../move-meeting-dialog.tsx'
import { ChangeStartDialog } from './change-start-dialog.tsx'
import { DeleteMeetingDialog } from './delete-meeting-dialog.tsx'
import { EditHistoryDialog } from './edit-history-dialog.tsx'
import { RenameMeetingDialog } from './rename-meeting-dialog.tsx'
import { RenameSpeakerDialog } from './rename-speaker-dialog.tsx'

/** The open dialog. `speaker` is the name that was pressed in the transcript. */
export type EditDialog =
  | { kind: 'title' | 'start' | 'move' | 'delete' | 'history' }
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
  meeting: WireMeetingDetail
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
      {dialog?.kind === 'move' && <MoveMeetingDialog {...shared} />}
      {dialog?.kind === 'delete' && <DeleteMeetingDialog {...shared} />}
      {dialog?.kind === 'history' && <EditHistoryDialog {...shared} canEdit={canEdit} />}
    </OpenEditDialogContext>
  )
}
