import { Group, Text } from '@mantine/core'
import type { ApiDelivery, ApiTestCallbackResult } from '../../src/http/shapes/deliveries.ts'
import type { AttemptOutcome, EventType } from '../../src/http/shapes/values.ts'
import { EVENT_TYPE_LABELS } from '../meetings/meeting-labels.ts'
import { INBOX_CALLBACK_URL } from '../meetings/use-start-meeting.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { StateBadge } from '../ui/text.tsx'

export const ATTEMPT_OUTCOME_LABELS: Record<AttemptOutcome, { label: string; colour: string }> = {
  delivered: { label: 'Delivered', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  rejected: { label: 'Rejected', colour: 'red' },
  gone: { label: 'Unsubscribed', colour: 'orange' },
}

/** The destination of callbacks in people's words: "127.0.0.1:3000/hook", "Console inbox". */
export function receiverName(url: string): string {
  if (url === INBOX_CALLBACK_URL) return 'Console inbox'
  return url
    .replace(/^listen:/, 'Listener ')
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
}

/** The label of an event type. Test events have the type `test`, which no meeting has. */
export function eventTypeLabel(type: string): string {
  return type === 'test' ? 'Test event' : (EVENT_TYPE_LABELS[type as EventType] ?? type)
}

/** "Your server answered 500", or why it did not answer. */
export function serverAnswerText({
  status,
  problem,
}: Pick<ApiDelivery, 'status' | 'problem'>): string {
  return status === null
    ? `Your server did not answer (${problem?.label.toLowerCase() ?? 'no response'})`
    : `Your server answered ${status}`
}

export function testEventResultText(result: ApiTestCallbackResult): string {
  const { delivered, durationMs } = result
  return `${delivered ? 'Delivered. ' : ''}${serverAnswerText(result)} after ${durationMs} ms.`
}

export function replayStartedText(events: number): string {
  return `Replaying ${formatCountWithNoun(events, 'event')}`
}

/** The outcome of one attempt, with the response status or the error. */
export function OutcomeBadge({
  attempt,
}: {
  attempt: Pick<ApiDelivery, 'outcome' | 'status' | 'problem'>
}) {
  const { label, colour } = ATTEMPT_OUTCOME_LABELS[attempt.outcome]
  return (
    <Group gap={6} component="span" wrap="nowrap">
      <StateBadge colour={colour}>{label}</StateBadge>
      <Text span size="sm" className="one-line">
        {attempt.status ?? attempt.problem?.label}
      </Text>
    </Group>
  )
}
