import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../api/app-state.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { taskApiPath, useRefreshTasks } from '../queries.ts'

export function DeleteTaskDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useRefreshTasks()
  return (
    <ConfirmDialog
      title={`Delete the task “${name}”?`}
      confirmLabel="Delete task and history"
      onClose={onClose}
      onConfirm={async () => {
        await api.delete(taskApiPath(name))
        await navigate({ to: '/tasks' })
        await refresh()
      }}
    >
      Its schedule and the history of its runs go with it, and a run that is under way is stopped.
      Documents that it has saved stay, and so do the totals of what it has used.
    </ConfirmDialog>
  )
}
