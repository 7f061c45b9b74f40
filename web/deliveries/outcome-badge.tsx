import { Badge, Group, Text } from '@mantine/core'
import type { WireDelivery } from '../../src/http/shapes/deliveries.ts'

const OUTCOME_LABELS = {
  delivered: { label: 'Delivered', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  rejected: { label: 'Rejected', colour: 'red' },
  gone: { label: 'No more', colour: 'orange' },
} as const satisfies Record<WireDelivery['outcome'], { label: string; colour: string }>

/** What came of one attempt, with the number of the answer. */
export function OutcomeBadge({ attempt }: { attempt: WireDelivery }) {
  const { label, colour } = OUTCOME_LABELS[attempt.outcome]
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
        {label}
      </Badge>
      <Text span size="sm" className="one-line">
        {attempt.status ?? attempt.error?.replaceAll('_', ' ')}
      </Text>
    </Group>
  )
}
