import { useNavigate } from '@tanstack/react-router'
import { useApi, useUser } from '../app-state.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { draftKey, dropDraft } from './drafts.ts'
import { documentApi, nameOf, type Place } from './place.ts'
import { useRefreshProjects, type DocumentText } from './queries.ts'

interface DeleteDialogProps {
  place: Place
  document: DocumentText
  onClose: () => void
}

/** Only the version that was seen is deleted. */
export function DeleteDialog({ place, document: { etag }, onClose }: DeleteDialogProps) {
  const api = useApi()
  const user = useUser()
  const navigate = useNavigate()
  const refresh = useRefreshProjects()
  const { project, path } = place
  return (
    <ConfirmDialog
      title={`Delete “${nameOf(path)}”?`}
      confirmLabel="Delete the document"
      onClose={onClose}
      onConfirm={async () => {
        await api.delete(documentApi(place), etag === null ? {} : { 'if-match': etag })
        dropDraft(draftKey(user.id, project, path))
        // The page of the document goes first: it would ask for what is gone.
        await navigate({ to: '/projects/$projectId/$', params: { projectId: project, _splat: '' } })
        await refresh(place)
      }}
    >
      The file {path} of the project {project} is removed from the disk. No copy of it is kept.
    </ConfirmDialog>
  )
}
