import { useNavigate } from '@tanstack/react-router'
import { useApi, useSignedInUser } from '../../api/app-state.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { draftKey, deleteDraft } from './drafts.ts'
import { fileNameOf, type DocumentRef } from '../document-ref.ts'
import { useUpdateCacheAfterDocumentChange, type FetchedDocument } from '../queries.ts'

interface DeleteDocumentDialogProps {
  documentRef: DocumentRef
  document: FetchedDocument
  onClose: () => void
}

/** Deletes a document only if it is still the version that the user saw. */
export function DeleteDocumentDialog({
  documentRef,
  document: { etag },
  onClose,
}: DeleteDocumentDialogProps) {
  const api = useApi()
  const user = useSignedInUser()
  const navigate = useNavigate()
  const refresh = useUpdateCacheAfterDocumentChange()
  const { project, path } = documentRef
  return (
    <ConfirmDialog
      title={`Delete “${fileNameOf(path)}”?`}
      confirmLabel="Delete document"
      onClose={onClose}
      onConfirm={async () => {
        const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag }
        await api.projects.removeDocument(project, path, { headers })
        deleteDraft(draftKey(user.id, project, path))
        // Leaves the document's page first, because that page would request the deleted document.
        await navigate({ to: '/projects/$projectId/$', params: { projectId: project, _splat: '' } })
        await refresh(documentRef)
      }}
    >
      The file {path} in the project {project} will be permanently deleted. This cannot be undone.
    </ConfirmDialog>
  )
}
