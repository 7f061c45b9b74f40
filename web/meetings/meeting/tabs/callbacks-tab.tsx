import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireTestCall } from '../../../../src/http/shapes/deliveries.ts'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { OutcomeBadge } from '../../../deliveries/outcome-badge.tsx'
import { useMeetingDeliveries } from '../../../deliveries/queries.ts'
import { ReplayDialog } from '../../../deliveries/replay-dialog.tsx'
import { pluralize } from '../../meeting-labels.ts'
import { ErrorBox } from '../../../ui/feedback/error-box.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { QueryView } from '../../../ui/feedback/query-view.tsx'
import { StatusMessage } from '../../../ui/feedback/status-message.tsx'
import { TimeOfDay, Time } from '../../../ui/format/time.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'

const DELIVERY_STATE_TEXTS = {
  ok: 'All callbacks arrive.',
  retrying: 'The receiver does not answer well; Hansard tries again.',
  blocked: 'The receiver has refused or failed for a while; Hansard goes on trying.',
  closed: 'The receiver asked for no more callbacks.',
} as const

/** How the callbacks of this meeting fare. */
export function CallbacksTab({ meeting }: { meeting: WireMeetingDetail }) {
  const { meetingId, delivery } = meeting
  const query = useMeetingDeliveries(meetingId)
  const [isReplaying, setReplaying] = useState(false)
  const [note, setNote] = useState('')
  const isQuiet = delivery === null || (delivery.delivered === 0 && delivery.pending === 0)
  return (
    <Stack gap="md">
      {delivery && !isQuiet && (
        <Stack gap={4}>
          <Text size="sm">{DELIVERY_STATE_TEXTS[delivery.state]}</Text>
          <Text size="sm" c="dimmed" className="break-anywhere">
            {delivery.delivered.toLocaleString('en')} delivered, {delivery.pending} waiting,{' '}
            {delivery.failed} given up
            {delivery.lastError !== null && `. Last trouble: ${delivery.lastError}`}
            {delivery.nextAttemptAt !== null && (
              <>
                . Next try <Time at={delivery.nextAttemptAt} show="distance" />
              </>
            )}
          </Text>
        </Stack>
      )}
      <QueryView query={query} what="the callbacks">
        {({ deliveries, failedEvents }) =>
          deliveries.length === 0 && isQuiet ? (
            <Text size="sm" c="dimmed">
              No callback was sent for this meeting. One that is started with a callback URL, or
              with the inbox of this console, shows each of them here.
            </Text>
          ) : (
            <Stack gap="sm">
              {failedEvents.length > 0 && (
                <Text size="sm">
                  {pluralize(failedEvents.length, 'event')} given up; a replay brings them.
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
              <ol className="plain-list attempts" aria-label="Newest attempts">
                {deliveries.map((attempt) => (
                  <li key={attempt.deliveryId}>
                    <OutcomeBadge attempt={attempt} />
                    <Text span size="sm">
                      {attempt.type} #{attempt.sequence}
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
          onDone={(replay) => setNote(`${pluralize(replay.events, 'event')} on the way again`)}
        />
      )}
    </Stack>
  )
}

function TestEventButton({ meetingId }: { meetingId: string }) {
  const api = useApi()
  const [result, setResult] = useState('')
  const action = useAction(async () => {
    setResult('')
    const { delivered, status, error, durationMs } = await api.post<WireTestCall>(
      '/web/callbacks/test',
      { meetingId },
    )
    const answer = status === null ? (error ?? 'no answer') : `status ${status}`
    setResult(`Test ${delivered ? 'arrived' : 'failed'}: ${answer} after ${durationMs} ms`)
  })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={action.isRunning}
        onClick={() => void action.run()}
      >
        Send a test event
      </Button>
      {action.error ? <ErrorBox error={action.error} /> : null}
      <StatusMessage>{result}</StatusMessage>
    </>
  )
}
