import { useNavigate } from '@tanstack/react-router'
import { useApi, useUser } from '../../api/app-state.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { draftKey, deleteDraft } from './drafts.ts'
import { documentApiPath, fileNameOf, type DocumentRef } from '../document-ref.ts'
import { useRefreshProjects, type DocumentText } from '../queries.ts'

interface DeleteDocumentDialogProps {
  place: DocumentRef
  document: DocumentText
  onClose: () => void
}

/** Only the version that was seen is deleted. */
export function DeleteDocumentDialog({
  place,
  document: { etag },
  onClose,
}: DeleteDocumentDialogProps) {
  const api = useApi()
  const user = useUser()
  const navigate = useNavigate()
  const refresh = useRefreshProjects()
  const { project, path } = place
  return (
    <ConfirmDialog
      title={`Delete “${fileNameOf(path)}”?`}
      confirmLabel="Delete the document"
      onClose={onClose}
      onConfirm={async () => {
        await api.delete(documentApiPath(place), etag === null ? {} : { 'if-match': etag })
        deleteDraft(draftKey(user.id, project, path))
        // The page of the document goes first: it would ask for what is gone.
        await navigate({ to: '/projects/$projectId/$', params: { projectId: project, _splat: '' } })
        await refresh(place)
      }}
    >
      The file {path} of the project {project} is removed from the disk. No copy of it is kept.
    </ConfirmDialog>
  )
}
