import { Badge } from '@mantine/core'
import type { WireDelivery } from '../../src/http/shapes/deliveries.ts'

const WORDS = {
  delivered: { label: 'Delivered', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  rejected: { label: 'Rejected', colour: 'red' },
  gone: { label: 'No more', colour: 'orange' },
} as const satisfies Record<WireDelivery['outcome'], { label: string; colour: string }>

/** What came of one attempt, with the number of the answer. */
export function Outcome({ attempt }: { attempt: WireDelivery }) {
  const { label, colour } = WORDS[attempt.outcome]
  const why = attempt.status ?? attempt.error ?? ''
  return (
    <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
      {label} {why}
    </Badge>
  )
}
