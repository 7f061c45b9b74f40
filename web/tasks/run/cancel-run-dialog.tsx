import type { WireExecution } from '../../../src/http/shapes/tasks.ts'
import { ApiError } from '../../api/api-error.ts'
import { useApi } from '../../api/app-state.tsx'
import { taskApiPath, useRefreshTasks } from '../queries.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'

interface CancelRunDialogProps {
  execution: WireExecution
  onClose: () => void
}

export function CancelRunDialog({ execution, onClose }: CancelRunDialogProps) {
  const { name, executionId } = execution
  const api = useApi()
  const refresh = useRefreshTasks()
  return (
    <ConfirmDialog
      title={`Cancel this run of “${name}”?`}
      confirmLabel="Cancel the run"
      dismissLabel="Let it run"
      onClose={onClose}
      onConfirm={async () => {
        const path = `${taskApiPath(name)}/executions/${encodeURIComponent(executionId)}/cancel`
        await api.post(path).catch((error: unknown) => {
          // It came to its end while the question was open: there is nothing left to cancel.
          if (!(error instanceof ApiError) || error.code !== 'execution_over') throw error
        })
        await refresh()
      }}
    >
      What it has said so far is kept, and no document is saved. Tokens used until now are counted.
    </ConfirmDialog>
  )
}
