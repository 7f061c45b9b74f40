import { Stack, Text } from '@mantine/core'
import type { WireExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { chooseFailureHint } from './failure-hints.ts'

/** Says why a run did not complete, and what the user can do. */
export function RunFailureNotice({ execution }: { execution: WireExecutionWithSummary }) {
  const { status, cancelled = false, resultSummary } = execution
  if (status === 'running' || status === 'completed') return null
  return (
    <div
      className={status === 'failed' && !cancelled ? 'notice notice-error' : 'notice'}
      role="note"
    >
      <Stack gap={4}>
        <Text fw={650} className="break-anywhere" dir="auto">
          {cancelled
            ? 'This run was canceled.'
            : (resultSummary ?? 'The run ended without a reason.')}
        </Text>
        <Text size="sm">{chooseFailureHint(execution)}</Text>
      </Stack>
    </div>
  )
}
