import { Stack, Group, Button, Text, Tabs, Code } from '@mantine/core'
import { useState } from 'react'
import type { ApiDelivery } from '../../src/http/shapes/deliveries.ts'
import {
  eventTypeLabel,
  receiverName,
  replayStartedText,
  serverAnswerText,
  OutcomeBadge,
} from './delivery-texts.tsx'
import { MeetingCallbacksLink } from './delivery-table.tsx'
import { Name } from '../ui/links.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { useSentDeliveryRequest, useDeliveryAttemptsOfEvent } from './queries.ts'
import { ReplayDialog } from './replay-dialogs.tsx'
import { SignatureCheck } from './signature-check.tsx'
import { Hint } from '../ui/text.tsx'

export type DeliveryTab = 'response' | 'request' | 'check'

interface DeliveryDialogProps {
  attempt: ApiDelivery
  tab?: DeliveryTab
  onClose: () => void
  onReplayed: (note: string) => void
}

/** All delivery attempts of one event, with request and response. */
export function DeliveryDialog(props: DeliveryDialogProps) {
  const { attempt: opened, tab = 'response', onClose, onReplayed } = props
  const { meetingId, meetingTitle, sequence, type, url } = opened
  const attempts = useDeliveryAttemptsOfEvent(meetingId, sequence)
  const [shownId, setShownId] = useState(opened.deliveryId)
  const [isReplaying, setReplaying] = useState(false)
  const all = attempts.data?.deliveries ?? [opened]
  const attempt = all.find(({ deliveryId }) => deliveryId === shownId) ?? opened
  if (isReplaying) {
    return (
      <ReplayDialog
        meetingId={meetingId}
        title={meetingTitle}
        sequence={sequence}
        onClose={onClose}
        onDone={({ events }) => onReplayed(replayStartedText(events))}
      />
    )
  }
  return (
    <Dialog title={`${eventTypeLabel(type)} #${sequence}`} size="lg" onClose={onClose}>
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
              Attempt {i + 1}
            </Button>
          ))}
        </Group>
        <Group gap="sm">
          <OutcomeBadge attempt={attempt} />
          <Text size="sm">
            <Time at={attempt.startedAt} show="second" />, took {attempt.durationMs} ms
          </Text>
        </Group>
        <Text size="sm" className="break-anywhere">
          {describeAttempt(attempt)}
        </Text>
        <Hint>
          <MeetingCallbacksLink meetingId={meetingId} title={meetingTitle} />
          {url !== null && ` → ${receiverName(url)}`}
        </Hint>
        <Tabs defaultValue={tab} keepMounted={false}>
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
            <SignatureTab attempt={attempt} />
          </Tabs.Panel>
        </Tabs>
        <Group justify="space-between">
          <CopyButton text={attempt.deliveryId} what="delivery ID" showsLabel />
          {sequence > 0 && <Button onClick={() => setReplaying(true)}>Replay this event</Button>}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Says what the receiver's response to a delivery attempt means, and what Hansard does next. */
function describeAttempt(attempt: ApiDelivery): string {
  const { outcome, problem, nextAttemptAt } = attempt
  if (outcome === 'delivered') return 'Your server accepted the event.'
  if (outcome === 'gone') return 'Your server unsubscribed (410). No more events are sent to it.'
  const rejected = outcome === 'rejected' ? ' Hansard stops after a few attempts.' : ''
  const next = nextAttemptAt === null ? '' : ' Hansard will retry. Later events wait for this one.'
  const hint = problem === null ? '' : ` ${problem.hint}.`
  return `${serverAnswerText(attempt)}.${hint}${rejected}${next}`
}

function ResponseTab({ attempt }: { attempt: ApiDelivery }) {
  const { status, error, problem, answer } = attempt
  const errorText = problem?.label.toLowerCase()
  return (
    <Stack gap="xs">
      <Text size="sm">
        {status === null ? `No response: ${errorText ?? 'unknown error'}` : `Status ${status}`}
        {status !== null && error !== null && `, then ${errorText ?? 'an error'}`}
      </Text>
      {answer === '' ? (
        <Hint>The response has no body.</Hint>
      ) : (
        <Code block className="wrap-code">
          {answer}
        </Code>
      )}
    </Stack>
  )
}

function RequestTab({ deliveryId }: { deliveryId: string }) {
  const query = useSentDeliveryRequest(deliveryId)
  return (
    <QueryView query={query} label="the request">
      {({ url, headers, body }) => (
        <Stack gap="xs">
          <Text size="sm" className="break-anywhere">
            POST {url}
          </Text>
          <HeadersAndBody headers={headers} body={body} />
          <div>
            <CopyButton text={toCurl(url, headers, body)} what="as curl" showsLabel />
          </div>
        </Stack>
      )}
    </QueryView>
  )
}

function SignatureTab({ attempt: { deliveryId, tokenName } }: { attempt: ApiDelivery }) {
  const query = useSentDeliveryRequest(deliveryId)
  return (
    <Stack gap="md">
      {tokenName !== null && (
        <Text size="sm" className="break-anywhere">
          Signed with the secret of the token{' '}
          <b>
            <Name>{tokenName}</Name>
          </b>
          . Enter the secret that your receiver uses.
        </Text>
      )}
      <QueryView query={query} label="the request">
        {({ headers, body }) => {
          const signature = headers['x-service-signature']
          if (signature !== undefined) return <SignatureCheck body={body} signature={signature} />
          return <Text size="sm">Only editors of the project see signatures.</Text>
        }}
      </QueryView>
    </Stack>
  )
}

function toCurl(url: string, headers: Record<string, string>, body: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const options = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  return ['curl -X POST', ...options, '--data-raw', quote(body), quote(url)].join(' ')
}

interface HeadersAndBodyProps {
  headers: Record<string, string>
  body: string
}

export function HeadersAndBody({ headers, body }: HeadersAndBodyProps) {
  return (
    <>
      <Code block className="wrap-code">
        {Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </Code>
      <Code block className="wrap-code">
        {body}
      </Code>
    </>
  )
}
