import { Group, Text, Badge } from '@mantine/core'
import './receivers.css'
import type { ApiDelivery, ApiReceiver } from '../../src/http/shapes/deliveries.ts'
import { useApi } from '../api/use-api.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { useAction, useRequest, ActionButton } from '../ui/forms.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Name, ButtonLink } from '../ui/links.tsx'
import { Time, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { InfoCard } from '../ui/layout.tsx'
import { MeetingCallbacksLink } from './delivery-table.tsx'
import { receiverName } from './delivery-texts.tsx'
import { useReceivers } from './queries.ts'
import { Hint } from '../ui/text.tsx'

interface ReceiverActions {
  /** Opens the signature check for a failed attempt. */
  onCheck: (attempt: ApiDelivery) => void
  onNote: (note: string) => void
}

/** Lists where callbacks are being delivered, by address and token. Hidden while nothing is to be delivered. */
export function Receivers(actions: ReceiverActions) {
  const { data: receivers = [] } = useReceivers()
  if (receivers.length === 0) return null
  return (
    <InfoCard title="Receivers" facts={[]}>
      <ul className="plain-list receivers">
        {receivers.map((receiver) => (
          <Receiver
            key={`${receiver.url} ${receiver.tokenName} ${receiver.meetings[0]?.meetingId}`}
            receiver={receiver}
            {...actions}
          />
        ))}
      </ul>
    </InfoCard>
  )
}

/** Response statuses that suggest that the receiver did not accept the signature. */
const SIGNATURE_STATUSES: ReadonlySet<string> = new Set(['401', '403'])

function Receiver({ receiver, onCheck, onNote }: { receiver: ApiReceiver } & ReceiverActions) {
  const { url, problem, tokenName } = receiver
  const api = useApi()
  const retry = useRequest(
    async (api) => {
      const { meetings } = await api.deliveries.retry({ receiver: url })
      onNote(
        meetings === 0
          ? 'Nothing to retry. Only editors of a project retry its callbacks.'
          : `Retrying the callbacks of ${formatCountWithNoun(meetings, 'meeting')}`,
      )
    },
    ['deliveries'],
  )
  const check = useAction(async () => {
    const failing = receiver.meetings.find(({ isFailing }) => isFailing)
    if (failing === undefined) return
    const query = { outcome: 'failed', limit: 1 } as const
    const [attempt] = (await api.meetings.deliveries(failing.meetingId, query)).deliveries
    if (attempt !== undefined) onCheck(attempt)
  })
  const error = retry.error ?? check.error
  const { label, colour } = describeState(receiver)
  return (
    <li className="receiver">
      <div className="receiver-facts">
        <Group gap="xs">
          <Text fw={600} className="break-anywhere">
            {receiverName(url)}
          </Text>
          <Badge className={`badge ${colour}`} variant="default" radius="sm" tt="none">
            {label}
          </Badge>
        </Group>
        <Text size="sm" className="break-anywhere">
          <ReceiverState receiver={receiver} />
          {tokenName !== null && (
            <>
              {' '}
              Signed with the token{' '}
              <b>
                <Name>{tokenName}</Name>
              </b>
              .
            </>
          )}
        </Text>
        <Hint>
          <ReceiverMeetings receiver={receiver} />
        </Hint>
        <ErrorBox error={error} />
      </div>
      <Group gap="xs">
        {problem !== null && SIGNATURE_STATUSES.has(problem.label) && (
          <ActionButton
            size="xs"
            variant="default"
            action={check}
            aria-label={`Check signature of ${receiverName(url)}`}
          >
            Check signature
          </ActionButton>
        )}
        {problem !== null && (
          <ActionButton
            size="xs"
            variant="default"
            action={retry}
            aria-label={`Retry now: ${receiverName(url)}`}
          >
            Retry now
          </ActionButton>
        )}
        <ButtonLink
          to="/deliveries"
          search={{ receiver: url }}
          size="xs"
          variant="default"
          aria-label={`Attempts at ${receiverName(url)}`}
        >
          Attempts
        </ButtonLink>
      </Group>
    </li>
  )
}

function describeState({ url, problem, pending }: ApiReceiver): { label: string; colour: string } {
  if (problem !== null) return { label: 'Failing', colour: 'badge-red' }
  const isNotConnected = url.startsWith('listen:') && pending > 0
  return isNotConnected
    ? { label: 'Waiting', colour: '' }
    : { label: 'Working', colour: 'badge-moss' }
}

/** "401 since 07:29, 35 events waiting. Usually another signing secret." */
export function ReceiverState({ receiver }: { receiver: ApiReceiver }) {
  const { url, problem, failingSince, pending } = receiver
  const waiting = `${formatCountWithNoun(pending, 'event')} waiting`
  if (problem === null) {
    if (pending === 0) return 'All events so far are delivered.'
    return url.startsWith('listen:') ? `${waiting} for the receiver to connect.` : `${waiting}.`
  }
  return (
    <>
      {failingSince !== null && (
        <>
          {problem.label} since <Time at={failingSince} show="since" />,{' '}
        </>
      )}
      {waiting}. {problem.hint}.
    </>
  )
}

function ReceiverMeetings({
  receiver: { meetings, meetingCount, nextAttemptAt },
}: {
  receiver: ApiReceiver
}) {
  const others = meetingCount - meetings.length
  const now = useNowEvery30Seconds()
  return (
    <>
      {meetings.map(({ meetingId, title }, i) => (
        <span key={meetingId}>
          {i > 0 && ', '}
          <MeetingCallbacksLink meetingId={meetingId} title={title} />
        </span>
      ))}
      {others > 0 && ` and ${formatCountWithNoun(others, 'other meeting')}`}
      {nextAttemptAt !== null && Date.parse(nextAttemptAt) > now && (
        <>
          {' '}
          · next attempt <Time at={nextAttemptAt} show="relative" />
        </>
      )}
    </>
  )
}
