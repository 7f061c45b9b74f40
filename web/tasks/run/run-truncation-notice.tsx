import { Stack, Text } from '@mantine/core'
import type { WireExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { TRUNCATION_LABELS } from '../task-labels.ts'

/** Says that the model's answer is incomplete, why, and what the user can do. */
export function RunTruncationNotice({ execution }: { execution: WireExecutionWithSummary }) {
  if (execution.truncatedBy === undefined) return null
  const { reason, nextStep } = TRUNCATION_LABELS[execution.truncatedBy]
  return (
    <div className="notice" role="note">
      <Stack gap={4}>
        <Text fw={650}>This answer is incomplete. {reason}</Text>
        <Text size="sm">{nextStep}</Text>
      </Stack>
    </div>
  )
}
