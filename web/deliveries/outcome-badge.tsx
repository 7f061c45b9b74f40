import { Badge, Group, Text } from '@mantine/core'
import type { ApiDelivery } from '../../src/http/shapes/deliveries.ts'
import { ATTEMPT_OUTCOME_LABELS } from './delivery-texts.ts'

/** The outcome of one attempt, with the response status or the error. */
export function OutcomeBadge({
  attempt,
}: {
  attempt: Pick<ApiDelivery, 'outcome' | 'status' | 'problem'>
}) {
  const { label, colour } = ATTEMPT_OUTCOME_LABELS[attempt.outcome]
  return (
    <Group gap={6} component="span" wrap="nowrap">
      <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
        {label}
      </Badge>
      <Text span size="sm" className="one-line">
        {attempt.status ?? attempt.problem?.label}
      </Text>
    </Group>
  )
}
