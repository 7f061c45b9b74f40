import type { WireExecution } from '../../src/http/shapes/tasks.ts'
import { ApiError } from '../api-error.ts'
import { useApi } from '../app-state.tsx'
import { pathOf, useRefreshTasks } from '../tasks/queries.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

interface CancelDialogProps {
  execution: WireExecution
  onClose: () => void
}

export function CancelDialog({ execution, onClose }: CancelDialogProps) {
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
        const path = `${pathOf(name)}/executions/${encodeURIComponent(executionId)}/cancel`
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
