import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WireFullExecution } from '../../src/http/shapes/tasks.ts'
import { ExecutionBadge } from '../tasks/execution-badge.tsx'
import { useRunTask } from '../tasks/run-task.ts'
import { duration, isWaiting } from '../tasks/words.ts'
import { ErrorBox } from '../ui/error-box.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../ui/use-action.ts'
import { useKeys } from '../ui/use-keys.ts'
import { CancelDialog } from './cancel-dialog.tsx'

/** Which run it is, how it stands, and what can be done. */
export function RunHead({ execution }: { execution: WireFullExecution }) {
  const { name, status, durationMs, startedAt } = execution
  const [isAsking, setAsking] = useState(false)
  const runTask = useRunTask()
  const again = useAction(() => runTask(name))
  useKeys({ r: () => status !== 'running' && void again.run() })
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex="1 1 240px" miw={0}>
          <TextLink to="/tasks/$name" params={{ name }} size="sm" className="break-anywhere">
            ← {name}
          </TextLink>
          <div className="break-anywhere">
            <PageTitle>{`Run of ${name}`}</PageTitle>
          </div>
          <Group gap="sm" role="status">
            <ExecutionBadge status={status} isWaiting={isWaiting(execution)} />
            <Text size="sm" c="dimmed">
              <Time at={startedAt} show="minute" />
              {durationMs !== undefined && `, took ${duration(durationMs)}`}
            </Text>
          </Group>
        </Stack>
        <Group gap="xs">
          {status === 'running' ? (
            <Button variant="default" onClick={() => setAsking(true)}>
              Cancel run
            </Button>
          ) : (
            <Button loading={again.isRunning} onClick={() => void again.run()}>
              Run again
            </Button>
          )}
          <Neighbours execution={execution} />
        </Group>
      </Group>
      {again.error ? <ErrorBox error={again.error} /> : null}
      {isAsking && <CancelDialog execution={execution} onClose={() => setAsking(false)} />}
    </Stack>
  )
}

/** To the runs before and after of the same task. */
function Neighbours({ execution }: { execution: WireFullExecution }) {
  const { previousExecutionId, nextExecutionId } = execution
  const navigate = useNavigate()
  const go = (executionId: string | undefined) => {
    if (executionId !== undefined)
      void navigate({ to: '/runs/$executionId', params: { executionId } })
  }
  useKeys({ ',': () => go(previousExecutionId), '.': () => go(nextExecutionId) })
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
