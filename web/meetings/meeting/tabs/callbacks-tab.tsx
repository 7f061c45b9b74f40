import { Stack, Text, Group, Button } from '@mantine/core'
import { useState } from 'react'
import type { ApiTestCallbackResult } from '../../../../src/http/shapes/deliveries.ts'
import type {
  ApiDeliveryHealth,
  ApiMeetingDetail,
} from '../../../../src/http/shapes/meetings/meetings.ts'
import type { MeetingDeliveryState } from '../../../../src/http/shapes/values.ts'
import { useApi } from '../../../api/use-api.tsx'
import {
  OutcomeBadge,
  eventTypeLabel,
  replayStartedText,
  testEventResultText,
} from '../../../deliveries/delivery-texts.tsx'
import { useLatestMeetingDeliveries } from '../../../deliveries/queries.ts'
import { ReplayDialog } from '../../../deliveries/replay-dialogs.tsx'
import { formatCountWithNoun } from '../../../ui/format/format-text.ts'
import { ErrorBox, QueryView, StatusMessage } from '../../../ui/feedback/feedback.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { TimeOfDay, Time } from '../../../ui/format/time.tsx'
import { useAction, ActionButton } from '../../../ui/forms.tsx'
import { Hint } from '../../../ui/text.tsx'

const DELIVERY_STATE_TEXTS: Record<MeetingDeliveryState, string> = {
  ok: 'All callbacks were delivered.',
  waiting:
    'Callbacks of other meetings to the same address are failing. These callbacks wait until one succeeds; Hansard checks every few seconds.',
  retrying: 'The receiver returned errors. Hansard is retrying.',
  blocked: 'The receiver has been failing for a while. Hansard is still retrying.',
  closed: 'The receiver unsubscribed (410). No more callbacks are sent.',
}

/** Pending callbacks have not failed: they were just sent, or their receiver is not connected. */
function describeDelivery({ state, pending, delivered }: ApiDeliveryHealth): string {
  if (state !== 'ok' || pending === 0) return DELIVERY_STATE_TEXTS[state]
  return delivered > 0
    ? 'Callbacks are on their way.'
    : 'No callback has arrived yet. The inbox receives them only while its page is open.'
}

/** Delivery status and latest attempts of this meeting's callbacks. */
export function CallbacksTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { meetingId, delivery } = meeting
  const query = useLatestMeetingDeliveries(meetingId)
  const [isReplaying, setReplaying] = useState(false)
  const [note, setNote] = useState('')
  const hasNoCallbacks = delivery === null || (delivery.delivered === 0 && delivery.pending === 0)
  return (
    <Stack gap="md">
      {delivery && !hasNoCallbacks && (
        <Stack gap={4}>
          <Text size="sm">{describeDelivery(delivery)}</Text>
          <Hint>
            {delivery.delivered.toLocaleString('en')} delivered, {delivery.pending} pending,{' '}
            {delivery.failed} failed
            {delivery.problem !== null &&
              delivery.state !== 'waiting' &&
              `. Last error: ${delivery.problem.label}. ${delivery.problem.hint}`}
            {delivery.nextAttemptAt !== null && (
              <>
                . Next attempt <Time at={delivery.nextAttemptAt} show="relative" />
              </>
            )}
          </Hint>
        </Stack>
      )}
      <QueryView query={query} label="the callbacks">
        {({ deliveries, failedEvents }) =>
          deliveries.length === 0 && hasNoCallbacks ? (
            <Hint>
              No callbacks were sent for this meeting. Start a meeting with a callback URL or the
              console inbox to see its callbacks here.
            </Hint>
          ) : (
            <Stack gap="sm">
              {failedEvents.length > 0 && (
                <Text size="sm">
                  {formatCountWithNoun(failedEvents.length, 'event')} could not be delivered. Replay
                  to send them again.
                </Text>
              )}
              <Group gap="xs">
                <Button size="xs" variant="default" onClick={() => setReplaying(true)}>
                  Replay
                </Button>
                <TestEventButton meetingId={meetingId} />
                <TextLink to="/deliveries" search={{ meeting: meetingId }} size="sm">
                  All attempts
                </TextLink>
              </Group>
              <StatusMessage>{note}</StatusMessage>
              <ol className="plain-list attempts" aria-label="Latest attempts">
                {deliveries.map((attempt) => (
                  <li key={attempt.deliveryId}>
                    <OutcomeBadge attempt={attempt} />
                    <Text span size="sm">
                      {eventTypeLabel(attempt.type)} #{attempt.sequence}
                    </Text>
                    <Text span size="xs" c="dimmed">
                      <TimeOfDay at={attempt.startedAt} />
                    </Text>
                  </li>
                ))}
              </ol>
            </Stack>
          )
        }
      </QueryView>
      {isReplaying && (
        <ReplayDialog
          meetingId={meetingId}
          title={meeting.title}
          onClose={() => setReplaying(false)}
          onDone={({ events }) => setNote(replayStartedText(events))}
        />
      )}
    </Stack>
  )
}

function TestEventButton({ meetingId }: { meetingId: string }) {
  const api = useApi()
  const [result, setResult] = useState<ApiTestCallbackResult | null>(null)
  const action = useAction(async () => {
    setResult(null)
    setResult(await api.callbacks.test({ meetingId }))
  })
  return (
    <>
      <ActionButton size="xs" variant="default" action={action}>
        Send test event
      </ActionButton>
      <ErrorBox error={action.error} />
      <StatusMessage isFailure={result?.delivered === false}>
        {result && testEventResultText(result)}
      </StatusMessage>
    </>
  )
}
