import { Button, Code, Group, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireDelivery } from '../../src/http/shapes/deliveries.ts'
import { pluralize } from '../meetings/meeting-labels.ts'
import { CopyButton } from '../ui/copy/copy-button.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { TimeOfDay, Time } from '../ui/format/time.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'
import { useDeliveryRequest, useEventAttempts } from './queries.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { SignatureCheck } from './signature/signature-check.tsx'

interface DeliveryDialogProps {
  attempt: WireDelivery
  onClose: () => void
  onReplayed: (note: string) => void
}

/** One event on its way to the receiver: every try, what was sent, what came back. */
export function DeliveryDialog({ attempt: opened, onClose, onReplayed }: DeliveryDialogProps) {
  const { meetingId, sequence, type } = opened
  const tries = useEventAttempts(meetingId, sequence)
  const [shownId, setShownId] = useState(opened.deliveryId)
  const [isReplaying, setReplaying] = useState(false)
  const all = tries.data?.deliveries ?? [opened]
  const attempt = all.find(({ deliveryId }) => deliveryId === shownId) ?? opened
  if (isReplaying) {
    return (
      <ReplayDialog
        meetingId={meetingId}
        title={meetingId}
        sequence={sequence}
        onClose={onClose}
        onDone={({ events }) => onReplayed(`${pluralize(events, 'event')} on the way again`)}
      />
    )
  }
  return (
    <Dialog title={`${type} #${sequence}`} size="lg" onClose={onClose}>
      <Stack gap="md">
        <Group gap="xs" role="group" aria-label="Attempts, oldest first">
          {all.toReversed().map(({ deliveryId }, i) => (
            <Button
              key={deliveryId}
              size="xs"
              variant={deliveryId === shownId ? 'filled' : 'default'}
              aria-pressed={deliveryId === shownId}
              onClick={() => setShownId(deliveryId)}
            >
              Try {i + 1}
            </Button>
          ))}
        </Group>
        <Group gap="sm">
          <OutcomeBadge attempt={attempt} />
          <Text size="sm">
            <Time at={attempt.startedAt} show="minute" />, <TimeOfDay at={attempt.startedAt} />,
            took {attempt.durationMs} ms
          </Text>
        </Group>
        <Text size="sm">{describeAttempt(attempt)}</Text>
        <Tabs defaultValue="response" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="response">Response</Tabs.Tab>
            <Tabs.Tab value="request">Request</Tabs.Tab>
            <Tabs.Tab value="check">Check signature</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="response" pt="md">
            <ResponseTab attempt={attempt} />
          </Tabs.Panel>
          <Tabs.Panel value="request" pt="md">
            <RequestTab deliveryId={attempt.deliveryId} />
          </Tabs.Panel>
          <Tabs.Panel value="check" pt="md">
            <SignatureTab deliveryId={attempt.deliveryId} />
          </Tabs.Panel>
        </Tabs>
        <Group justify="space-between">
          <CopyButton text={attempt.deliveryId} what="delivery id" isWordy />
          {sequence > 0 && <Button onClick={() => setReplaying(true)}>Replay this event</Button>}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** What it means and what happens next. */
function describeAttempt({
  outcome,
  status,
  error,
  durationMs,
  nextAttemptAt,
}: WireDelivery): string {
  if (outcome === 'delivered') return 'The receiver has it.'
  if (outcome === 'gone')
    return 'The receiver answered 410: it wants no more, so nothing more is sent.'
  const answered =
    status === null
      ? `Your server gave no answer (${error ?? 'unknown'})`
      : `Your server answered with ${status} after ${durationMs} ms`
  const next =
    nextAttemptAt === null ? '' : ' Hansard tries again, later events wait behind this one.'
  const blame =
    outcome === 'rejected' ? ' That blames this very event; after some tries it is given up.' : ''
  return `${answered}.${blame}${next}`
}

function ResponseTab({ attempt: { status, error, answer } }: { attempt: WireDelivery }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {status === null ? `No answer: ${error ?? 'unknown'}` : `Status ${status}`}
        {status !== null && error !== null && `, but then ${error}`}
      </Text>
      {answer === '' ? (
        <Text size="sm" c="dimmed">
          The answer had no body.
        </Text>
      ) : (
        <Code block className="wrap-code">
          {answer}
        </Code>
      )}
    </Stack>
  )
}

function RequestTab({ deliveryId }: { deliveryId: string }) {
  const query = useDeliveryRequest(deliveryId)
  return (
    <QueryView query={query} what="the request">
      {({ url, headers, body }) => (
        <Stack gap="xs">
          <Text size="sm" className="break-anywhere">
            POST {url}
          </Text>
          <Code block className="wrap-code">
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </Code>
          <Code block className="wrap-code">
            {body}
          </Code>
          <div>
            <CopyButton text={toCurl(url, headers, body)} what="as curl" isWordy />
          </div>
        </Stack>
      )}
    </QueryView>
  )
}

function SignatureTab({ deliveryId }: { deliveryId: string }) {
  const query = useDeliveryRequest(deliveryId)
  return (
    <QueryView query={query} what="the request">
      {({ headers, body }) => (
        <SignatureCheck body={body} signature={headers['x-service-signature'] ?? ''} />
      )}
    </QueryView>
  )
}

function toCurl(url: string, headers: Record<string, string>, body: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const given = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  return ['curl -X POST', ...given, '--data-raw', quote(body), quote(url)].join(' ')
}
