import type { WireExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { ApiError } from '../../api/api-error.ts'
import { useApi } from '../../api/app-state.tsx'
import { useRefreshTasks } from '../queries.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'

interface CancelRunDialogProps {
  execution: WireExecutionWithSummary
  onClose: () => void
}

export function CancelRunDialog({ execution, onClose }: CancelRunDialogProps) {
  const { name, executionId } = execution
  const api = useApi()
  const refresh = useRefreshTasks()
  return (
    <ConfirmDialog
      title={`Cancel this run of “${name}”?`}
      confirmLabel="Cancel run"
      dismissLabel="Keep running"
      onClose={onClose}
      onConfirm={async () => {
        await api.tasks.cancel(name, executionId).catch((error: unknown) => {
          // The run ended while the dialog was open, so there is nothing to cancel.
          if (!(error instanceof ApiError) || error.code !== 'execution_over') throw error
        })
        await refresh()
      }}
    >
      The output so far is kept, but no document is saved. Tokens used so far are counted.
    </ConfirmDialog>
  )
}
