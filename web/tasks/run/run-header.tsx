import { useNavigate } from '@tanstack/react-router'
import { Stack, Group, Button } from '@mantine/core'
import { useState } from 'react'
import type { ApiFullExecution, ApiExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { ApiError } from '../../api/api-error.ts'
import { ModelNeeded } from '../model-needed.tsx'
import { RunStatusBadge } from '../run-status-badge.tsx'
import { isModelMissing } from './failure-hints.ts'
import { formatDuration, isRunQueued } from '../task-labels.ts'
import { useRunTask } from '../use-run-task.ts'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { Time } from '../../ui/format/time.tsx'
import { useAction, ActionButton } from '../../ui/forms.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { PageTitle } from '../../ui/layout.tsx'
import { BackLink, ButtonLink, taskPage } from '../../ui/links.tsx'
import { Hint } from '../../ui/text.tsx'

interface RunHeaderProps {
  execution: ApiFullExecution
  /** True if a run would fail now, because the prompt has no language model. */
  needsModel: boolean
}

/** Title, status and actions of a run. */
export function RunHeader({ execution, needsModel }: RunHeaderProps) {
  const { name, status, durationMs, startedAt } = execution
  const [isAsking, setAsking] = useState(false)
  const runTask = useRunTask()
  const runAgain = useAction(() => runTask(name))
  const canRunAgain = status !== 'running' && !needsModel
  useShortcuts({ r: () => canRunAgain && void runAgain.run() })
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex="1 1 240px" miw={0}>
          <BackLink {...taskPage(name)}>{name}</BackLink>
          <div className="break-anywhere">
            <PageTitle>{`Run of ${name}`}</PageTitle>
          </div>
          <Group gap="sm" role="status">
            <RunStatusBadge
              status={status}
              cancelled={execution.cancelled}
              truncatedBy={execution.truncatedBy}
              isWaiting={isRunQueued(execution)}
            />
            <Hint>
              <Time at={startedAt} show="minute" />
              {durationMs !== undefined && `, took ${formatDuration(durationMs)}`}
            </Hint>
          </Group>
        </Stack>
        <Group gap="xs">
          {status === 'running' && (
            <Button variant="default" onClick={() => setAsking(true)}>
              Cancel run
            </Button>
          )}
          {canRunAgain && <ActionButton action={runAgain}>Run again</ActionButton>}
          <PreviousNextLinks execution={execution} />
        </Group>
      </Group>
      {needsModel && status !== 'running' && !isModelMissing(execution) && (
        <ModelNeeded what="The prompt of this task" />
      )}
      <ErrorBox error={runAgain.error} />
      {isAsking && <CancelRunDialog execution={execution} onClose={() => setAsking(false)} />}
    </Stack>
  )
}

function PreviousNextLinks({ execution }: { execution: ApiFullExecution }) {
  const { previousExecutionId, nextExecutionId } = execution
  const navigate = useNavigate()
  const go = (executionId: string | undefined) => {
    if (executionId !== undefined)
      void navigate({ to: '/runs/$executionId', params: { executionId } })
  }
  useShortcuts({ ',': () => go(previousExecutionId), '.': () => go(nextExecutionId) })
  return (
    <>
      {previousExecutionId !== undefined && (
        <ButtonLink
          to="/runs/$executionId"
          params={{ executionId: previousExecutionId }}
          variant="default"
        >
          Previous run
        </ButtonLink>
      )}
      {nextExecutionId !== undefined && (
        <ButtonLink
          to="/runs/$executionId"
          params={{ executionId: nextExecutionId }}
          variant="default"
        >
          Next run
        </ButtonLink>
      )}
    </>
  )
}

interface CancelRunDialogProps {
  execution: ApiExecutionWithSummary
  onClose: () => void
}

function CancelRunDialog({ execution, onClose }: CancelRunDialogProps) {
  const { name, executionId } = execution
  return (
    <ConfirmDialog
      title={`Cancel this run of “${name}”?`}
      confirmLabel="Cancel run"
      dismissLabel="Keep running"
      onClose={onClose}
      onConfirm={(api) =>
        api.tasks.cancel(name, executionId).catch((error: unknown) => {
          // The run ended while the dialog was open, so there is nothing to cancel.
          if (!(error instanceof ApiError) || error.code !== 'execution_over') throw error
        })
      }
      reloads={['tasks']}
    >
      The output so far is kept, but no document is saved. Tokens used so far are counted.
    </ConfirmDialog>
  )
}
