import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../api/app-state.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useRefreshTasks } from '../queries.ts'

export function DeleteTaskDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useRefreshTasks()
  return (
    <ConfirmDialog
      title={`Delete task “${name}”?`}
      confirmLabel="Delete task and history"
      onClose={onClose}
      onConfirm={async () => {
        await api.tasks.remove(name)
        await navigate({ to: '/tasks' })
        await refresh()
      }}
    >
      This deletes its schedule and run history and stops a run in progress. Saved documents and
      usage totals are kept.
    </ConfirmDialog>
  )
}
