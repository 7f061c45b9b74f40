import { useQueryClient } from '@tanstack/react-query'
import { Stack, Text, Group, NativeSelect, Button } from '@mantine/core'
import { useState, useEffectEvent, useEffect } from 'react'
import { HeadersAndBody } from './delivery-dialog.tsx'
import type { EventPayload, EventType } from '../../src/http/shapes/meetings/meetings.ts'
import { useSigningTokens } from '../account/queries.ts'
import { useMarkStepDone } from '../account/use-marks.ts'
import { clearCachedUserData, useApi } from '../api/use-api.tsx'
import { type EventStreamState, createEventStream } from '../api/event-stream.ts'
import { eventTypeLabel } from './delivery-texts.tsx'
import { SignatureCheckDialog } from './signature-check.tsx'
import { MEETING_STATUS_LABELS } from '../meetings/meeting-labels.ts'
import {
  INBOX_CALLBACK_URL,
  PRACTICE_MEETING_INPUT,
  useStartMeetingInBackground,
  INBOX_LISTENER_NAME,
} from '../meetings/use-start-meeting.ts'
import { EmptyState, ErrorBox } from '../ui/feedback/feedback.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { useAction } from '../ui/forms.tsx'
import { PageTitle } from '../ui/layout.tsx'
import { BackLink, TextLink } from '../ui/links.tsx'
import { RowButton } from '../ui/tables/data-table.tsx'
import { StateBadge } from '../ui/text.tsx'

const RESPONSE_OPTIONS = [
  { value: '200', label: '200: accept' },
  { value: '500', label: '500: fail, to see retries' },
  { value: '422', label: '422: reject the event' },
]
const STREAM_STATE_TEXTS: Record<EventStreamState, string> = {
  connecting: 'Connecting…',
  open: 'Listening.',
  lost: 'Connection lost. Reconnecting…',
}

export function InboxPage() {
  const [status, setStatus] = useState('200')
  const { received, state, error } = useInboxReceiver(Number(status))
  const [checked, setChecked] = useState<ReceivedCallback | null>(null)
  const hasReceived = received.length > 0
  const markStepDone = useEffectEvent(useMarkStepDone())
  useEffect(() => {
    if (hasReceived) markStepDone('inbox')
  }, [hasReceived])
  return (
    <Stack gap="lg" maw={1000}>
      <Stack gap={4}>
        <BackLink to="/deliveries">Deliveries</BackLink>
        <PageTitle>Inbox</PageTitle>
        <Text maw={680}>
          A callback receiver in your browser. Meetings that were started with the inbox as their
          receiver deliver their callbacks here while this page is open; otherwise the callbacks
          wait. Of meetings that send callbacks to another address, the inbox shows copies. Meetings
          without a receiver send no callbacks.
        </Text>
      </Stack>
      <Group justify="space-between" align="flex-end">
        <NativeSelect
          label="Respond with status"
          value={status}
          data={RESPONSE_OPTIONS}
          onChange={(event) => setStatus(event.currentTarget.value)}
        />
        <Text role="status" size="sm">
          {STREAM_STATE_TEXTS[state]}
        </Text>
      </Group>
      <ErrorBox error={error} />
      {!hasReceived ? (
        <NoCallbacks />
      ) : (
        <Stack component="ol" className="plain-list" gap="xs" aria-label="Callbacks, newest first">
          {received.map((callback) => (
            <CallbackItem
              key={callback.deliveryId}
              callback={callback}
              onCheck={() => setChecked(callback)}
            />
          ))}
        </Stack>
      )}
      {checked && (
        <SignatureCheckDialog
          body={checked.body}
          signature={checked.headers['x-service-signature'] ?? ''}
          onClose={() => setChecked(null)}
        />
      )}
    </Stack>
  )
}

/** Offers a practice meeting that delivers to this page. Callbacks arrive only while the page is open. */
function NoCallbacks() {
  const start = useStartMeetingInBackground()
  const tokens = useSigningTokens()
  const token = tokens?.[0]
  const action = useAction(async (tokenId: string) => {
    await start({ ...PRACTICE_MEETING_INPUT, callbackUrl: INBOX_CALLBACK_URL, tokenId })
  })
  return (
    <Stack gap="sm">
      <EmptyState
        drawing="plane"
        title="No callbacks yet"
        action={
          token && (
            <Button
              variant="default"
              loading={action.isRunning}
              onClick={() => void action.run(token.id)}
            >
              Start a practice meeting
            </Button>
          )
        }
      >
        <TextLink to="/meetings">Start a meeting</TextLink> and choose “The console inbox” under
        “More options”, or start a practice meeting here.
      </EmptyState>
      {tokens && !token && (
        <Text>
          Callbacks are signed with the secret of an API token.{' '}
          <TextLink to="/account" search={{ tab: 'tokens' }}>
            Create an API token
          </TextLink>{' '}
          first.
        </Text>
      )}
      <ErrorBox error={action.error} />
    </Stack>
  )
}

function CallbackItem({ callback, onCheck }: { callback: ReceivedCallback; onCheck: () => void }) {
  const { headers, body, isAnswerWanted } = callback
  const type = headers['x-service-event'] ?? ''
  const content = describeCallback(body)
  const number = /_(\d+)$/.exec(headers['webhook-id'] ?? '')?.[1] ?? ''
  return (
    <li className="callback">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={600}>
            {eventTypeLabel(type)} #{number}
          </Text>
          <StateBadge>{isAnswerWanted ? 'delivered here' : 'copy'}</StateBadge>
        </Group>
        <RowButton
          label="Check signature"
          ariaLabel={`Check signature of ${eventTypeLabel(type)} ${number}`}
          onClick={onCheck}
        />
      </Group>
      {content !== '' && (
        <Text size="sm" lineClamp={2} className="break-anywhere" dir="auto">
          {content}
        </Text>
      )}
      <details>
        <summary>Headers and body</summary>
        <Stack gap="xs" mt="xs">
          <HeadersAndBody headers={headers} body={body} />
        </Stack>
      </details>
    </li>
  )
}

type Describe = { [Type in EventType]: (payload: EventPayload<Type>) => string }

const DESCRIBE: Describe = {
  meeting_status: ({ status, detail }) => {
    const label = (MEETING_STATUS_LABELS as Record<string, { label: string }>)[status]?.label
    return detail === undefined ? (label ?? status) : `${label ?? status}: ${detail}`
  },
  caption_partial: ({ speaker, text }) => `${speaker}: ${text}`,
  segment_finalized: ({ speaker, text }) => `${speaker}: ${text}`,
  coach_insight: ({ text }) => text,
  participant_joined: ({ name, participantCount }) => `${name}, ${participantCount} present`,
  participant_left: ({ name, participantCount }) => `${name}, ${participantCount} present`,
  document_saved: ({ documentPath, totalSegments }) =>
    `${documentPath}, ${formatCountWithNoun(totalSegments, 'line')}`,
  brief_ready: ({ meetingCount, actionCount }) =>
    `Earlier meetings: ${meetingCount}, still to do: ${actionCount}`,
  transcript_changed: ({ segmentCount }) => formatCountWithNoun(segmentCount, 'line'),
  recap_ready: ({ summary }) => summary.join(' '),
  decision_recorded: ({ text }) => text,
  action_created: describeAction,
  action_changed: describeAction,
}

function describeAction({ owner, text }: { owner: string | null; text: string }): string {
  return owner === null ? text : `${owner}: ${text}`
}

/** The content of a callback in one line. Empty if the body is not a known event. */
function describeCallback(body: string): string {
  try {
    const { type, payload } = JSON.parse(body) as { type: EventType; payload: never }
    return DESCRIBE[type](payload)
  } catch (error) {
    // Any program with the right to send may use this receiver.
    if (error instanceof SyntaxError || error instanceof TypeError) return ''
    throw error
  }
}

/** One callback with its headers, as a receiver gets it. */
type ReceivedCallback = {
  deliveryId: string
  headers: Record<string, string>
  body: string
  /** True if the inbox is the receiver. False for a copy of another receiver's callback. */
  isAnswerWanted: boolean
}

const MAX_RECEIVED = 200

type Inbox = { received: ReceivedCallback[]; state: EventStreamState; error: unknown }

/** Receives callbacks through the listener stream and answers each with `status`, as a receiver would. */
function useInboxReceiver(answerStatus: number): Inbox {
  const api = useApi()
  const queries = useQueryClient()
  const [received, setReceived] = useState<ReceivedCallback[]>([])
  const [state, setState] = useState<EventStreamState>('connecting')
  const [error, setError] = useState<unknown>(null)

  const receive = useEffectEvent((message: ReceivedCallback | { name: string }) => {
    if (!('deliveryId' in message)) return
    setReceived((earlier) => [message, ...earlier].slice(0, MAX_RECEIVED))
    if (!message.isAnswerWanted) return
    const { deliveryId } = message
    const answer = {
      deliveryId,
      status: answerStatus,
      error: null,
      answer: 'From the inbox',
      durationMs: 0,
    }
    // If the answer does not reach the service, the callback times out and is retried, so no event is lost.
    api.listeners.answers(INBOX_LISTENER_NAME, answer).then(
      () => setError(null),
      (problem: unknown) => setError(problem),
    )
  })
  useEffect(() => {
    const stream = createEventStream<ReceivedCallback | { name: string }>({
      path: `/web/listeners/${INBOX_LISTENER_NAME}/stream`,
      onSignedOut: () => clearCachedUserData(queries),
    })
    stream.onState(() => setState(stream.state()))
    stream.onEvent((message) => receive(message))
    return stream.start()
  }, [queries])
  return { received, state, error }
}
