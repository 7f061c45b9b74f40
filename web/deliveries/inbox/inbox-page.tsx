import { Badge, Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSigningTokens } from '../../account/queries.ts'
import { useMarkStepDone } from '../../account/use-marks.ts'
import type { EventStreamState } from '../../api/event-stream.ts'
import { eventTypeLabel } from '../delivery-texts.ts'
import { SignatureCheckDialog } from '../signature/signature-dialog.tsx'
import { describeCallback } from './callback-content.ts'
import { useInboxReceiver, type ReceivedCallback } from './use-inbox.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import {
  INBOX_CALLBACK_URL,
  PRACTICE_MEETING_INPUT,
  useStartMeetingInBackground,
} from '../../meetings/use-start-meeting.ts'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { BackLink, TextLink } from '../../ui/links.tsx'
import { PageTitle } from '../../ui/layout/page-title.tsx'
import { RowButton } from '../../ui/tables/row-button.tsx'

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
      {error !== null && <ErrorBox error={error} />}
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
      {action.error ? <ErrorBox error={action.error} /> : null}
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
          <Badge className="badge" variant="default" radius="sm" tt="none">
            {isAnswerWanted ? 'delivered here' : 'copy'}
          </Badge>
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
          <Code block className="wrap-code">
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </Code>
          <Code block className="wrap-code">
            {body}
          </Code>
        </Stack>
      </details>
    </li>
  )
}
