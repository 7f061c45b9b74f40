import { useState } from 'react'
import { Stack, Text, NativeSelect, Group, List, Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiMail, ApiMailStatus } from '../../src/http/shapes/mail.ts'
import type { MailState, MailKind, MailReason } from '../../src/http/shapes/values.ts'
import { MAIL_STATES } from '../../src/http/shapes/values.ts'
import { useApi, useSignedInUser, useApiPages } from '../api/use-api.tsx'
import { parseChoice } from '../api/url-parameters.ts'
import { ErrorBox, QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { SectionHeader, InfoCard } from '../ui/layout.tsx'
import { type Column, DataTable, LoadMoreButton } from '../ui/tables/data-table.tsx'
import { useRequest, ActionButton, ActionButtonWithError } from '../ui/forms.tsx'
import { StateBadge } from '../ui/text.tsx'

/** Mail is not in the event stream, so the page polls it. */
const REFRESH_MS = 5_000

const COLUMNS: [Column<ApiMail>, ...Column<ApiMail>[]] = [
  { header: 'To', cell: (mail) => <Recipient mail={mail} /> },
  { header: 'Mail', cell: ({ kind }) => MAIL_KIND_LABELS[kind], card: 'line' },
  { header: 'State', cell: (mail) => <MailStateBadge mail={mail} />, card: 'badge' },
  { header: 'Details', cell: (mail) => <Details mail={mail} />, card: 'line' },
  {
    header: 'Created',
    cell: ({ createdAt }) => <Time at={createdAt} show="minute" />,
    isShort: true,
    priority: 'middle',
    card: 'line',
  },
]

/** The mail server, what was sent to whom, and why something was not sent. */
export function MailTab() {
  const api = useApi()
  const query = useQuery({
    queryKey: ['mail', 'status'],
    queryFn: () => api.mail.status(),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Mail"
        description="What Hansard sends by mail. Its content is not stored, and this list doesn't say which meetings it is about."
      >
        {query.data?.isOn && <TestButton />}
      </SectionHeader>
      <QueryView query={query} label="the state of mail">
        {(status) => (
          <>
            {status.isOn ? <ServerCard status={status} /> : <HowToSetUp />}
            {(status.isOn || hasMail(status)) && <MailList counts={status.counts} />}
          </>
        )}
      </QueryView>
    </Stack>
  )
}

/** True if there are records of mail, for example from the time before mail was turned off. */
function hasMail({ counts }: ApiMailStatus): boolean {
  return Object.values(counts).some((count) => count > 0)
}

function HowToSetUp() {
  return (
    <Stack gap="xs">
      <Text>Mail is not set up, so Hansard sends none. To set it up, on the server:</Text>
      <List type="ordered">
        <List.Item>
          Set <Code>HANSARD_SMTP_URL</Code> to the address of your mail server, such as{' '}
          <Code className="break-anywhere">smtp://user:password@mail.example.com:587</Code>.
        </List.Item>
        <List.Item>
          Set <Code>HANSARD_MAIL_FROM</Code> to the sender, and <Code>HANSARD_PUBLIC_URL</Code> to
          the address of this console.
        </List.Item>
        <List.Item>
          Restart Hansard, and run <Code>hansard doctor</Code>, which signs in to the mail server.
        </List.Item>
      </List>
    </Stack>
  )
}

function ServerCard({ status }: { status: ApiMailStatus }) {
  const { server, tls, from } = status
  return (
    <InfoCard
      title="Mail server"
      facts={[
        ['Server', server ?? ''],
        ['Encryption', tls === null ? '' : MAIL_TLS_TEXTS[tls]],
        ['Sender', from ?? ''],
      ]}
    />
  )
}

function TestButton() {
  const { email } = useSignedInUser()
  const [isAsked, setAsked] = useState(false)
  const action = useRequest(
    async (api) => {
      setAsked(false)
      await api.mail.test()
      setAsked(true)
    },
    ['mail'],
  )
  return (
    <Stack gap={4} align="flex-start">
      <ActionButton action={action}>Send a test mail to myself</ActionButton>
      <StatusMessage>
        {isAsked && `A test mail to ${email} is on its way. See its state below.`}
      </StatusMessage>
      <ErrorBox error={action.error} />
    </Stack>
  )
}

function RetryButton({ mail: { id, email } }: { mail: ApiMail }) {
  const action = useRequest((api) => api.mail.retry(id), ['mail'])
  return (
    <ActionButtonWithError
      style={{ alignSelf: 'flex-start' }}
      variant="default"
      size="xs"
      aria-label={`Send again to ${email}`}
      action={action}
    >
      Send again
    </ActionButtonWithError>
  )
}

function MailList({ counts }: { counts: ApiMailStatus['counts'] }) {
  const [state, setState] = useState<MailState | undefined>()
  const query = useApiPages(
    ['mail', 'list', state],
    (api, cursor) => api.mail.list({ ...(state && { state }), ...(cursor && { cursor: cursor }) }),
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Stack gap="sm">
      <NativeSelect
        label="State"
        maw={260}
        value={state ?? ''}
        onChange={(event) => setState(parseChoice(MAIL_STATES, event.currentTarget.value))}
        data={[
          { value: '', label: 'Any' },
          ...MAIL_STATES.map((value) => ({
            value,
            label: `${MAIL_STATE_LABELS[value].label} (${counts[value].toLocaleString('en')})`,
          })),
        ]}
      />
      <QueryView query={query} label="the mail">
        {({ pages }) => {
          const mails = pages.flatMap((page) => page.mails)
          return mails.length === 0 ? (
            <Text>{state === undefined ? 'No mail yet.' : 'No mail in this state.'}</Text>
          ) : (
            <DataTable caption="Mail" rows={mails} columns={COLUMNS} />
          )
        }}
      </QueryView>
      <Group>
        <LoadMoreButton query={query}>Show older mail</LoadMoreButton>
      </Group>
    </Stack>
  )
}

function Recipient({ mail: { name, email } }: { mail: ApiMail }) {
  return (
    <Stack gap={0}>
      {name !== null && <bdi className="break-anywhere">{name}</bdi>}
      <Text span size="sm" {...(name !== null && { c: 'dimmed' })} className="break-anywhere">
        {email}
      </Text>
    </Stack>
  )
}

function MailStateBadge({ mail: { state } }: { mail: ApiMail }) {
  const { label, colour } = MAIL_STATE_LABELS[state]
  return <StateBadge colour={colour}>{label}</StateBadge>
}

/** Why a mail was not sent or waits, what the mail server said, and a button to send it again. */
function Details({ mail }: { mail: ApiMail }) {
  const { reason, response, state, attempts, dueAt: nextAttemptAt } = mail
  return (
    <Stack gap={4} align="flex-start">
      {reason !== null && <span>{MAIL_REASON_TEXTS[reason]}</span>}
      {state === 'waiting' && attempts > 0 && nextAttemptAt !== null && (
        <span>
          Next attempt <Time at={nextAttemptAt} show="relative" />
        </span>
      )}
      {response !== null && (
        <Text span size="sm" c="dimmed" className="break-anywhere">
          {response}
        </Text>
      )}
      {mail.canRetry && <RetryButton mail={mail} />}
    </Stack>
  )
}

const MAIL_KIND_LABELS: Record<MailKind, string> = {
  recap: 'Recap',
  guest_recap: 'Recap to a guest',
  digest: 'Digest',
  brief: 'Brief',
  invitation: 'Invitation',
  password_reset: 'Password reset',
  test: 'Test',
}

const MAIL_STATE_LABELS: Record<MailState, { label: string; colour: string }> = {
  waiting: { label: 'Waiting', colour: 'blue' },
  sent: { label: 'Sent', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  dropped: { label: 'Not sent', colour: 'orange' },
}

const MAIL_REASON_TEXTS: Record<MailReason, string> = {
  refused: 'The mail server refused it.',
  given_up: 'It could not be sent for a day.',
  content_gone: 'What it was about no longer exists, or the person may no longer read it.',
  no_access: 'The person may no longer read the meeting.',
  turned_off: 'The person turned this mail off.',
  project_off: 'The project no longer sends recaps.',
  link_ended: 'The link no longer works.',
  has_account: 'The address belongs to an account now.',
  too_late: 'The meeting had started.',
}

const MAIL_TLS_TEXTS: Record<NonNullable<ApiMailStatus['tls']>, string> = {
  required: 'TLS with a valid certificate',
  opportunistic: 'TLS if the server offers it',
  off: 'none',
}
