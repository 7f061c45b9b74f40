import { Stack, Button, Text, Card, Group, List } from '@mantine/core'
import { useState } from 'react'
import { CalendarApps } from './calendar-apps.tsx'
import { ConnectionForm, KIND_LABELS } from './connection-form.tsx'
import { useConnections, useConnectionCheck, useConnectionTranscripts } from './queries.ts'
import { QueryView, StatusMessage, ErrorBox } from '../ui/feedback/feedback.tsx'
import { type DescriptionItem, SectionHeader, DescriptionList } from '../ui/layout.tsx'
import type { ApiConnection, ApiConnectionTranscripts } from '../../src/http/shapes/connections.ts'
import { useApi, useReload } from '../api/use-api.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialogs.tsx'
import { Time } from '../ui/format/time.tsx'
import { useAction } from '../ui/forms.tsx'
import { type Column, RowButton, DataTable } from '../ui/tables/data-table.tsx'
import {
  CONNECTION_KINDS,
  type ConnectionKind,
  type CredentialKind,
  type TranscriptState,
} from '../../src/http/shapes/values.ts'
import { TextLink, meetingPage } from '../ui/links.tsx'
import { StateBadge } from '../ui/text.tsx'

/** The organization's connections to Microsoft 365 and Google Workspace, for admins. */
export function ConnectionsTab() {
  const query = useConnections()
  const [added, setAdded] = useState<ConnectionKind | null>(null)
  const [note, setNote] = useState('')
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Connections"
        description="Hansard reads the official transcripts of Microsoft Teams and Google Meet, without a bot in the meeting. An administrator of the organization allows it once; docs/connections.md has all steps."
      >
        <Group gap="xs">
          {CONNECTION_KINDS.map((kind) => (
            <Button key={kind} onClick={() => setAdded(kind)}>
              Connect {KIND_LABELS[kind]}
            </Button>
          ))}
        </Group>
      </SectionHeader>
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the connections">
        {({ connections }) =>
          connections.length === 0 ? (
            <Text>No connections yet. Bots join the meetings and read their captions.</Text>
          ) : (
            <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
              {connections.map((connection) => (
                <ConnectionCard key={connection.id} connection={connection} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      <CalendarApps />
      {added !== null && (
        <ConnectionForm
          kind={added}
          connection={null}
          onClose={() => setAdded(null)}
          onSaved={() => setNote('Connected. Check it to see whether everything is in place.')}
        />
      )}
    </Stack>
  )
}

type OpenDialog = 'check' | 'edit' | 'transcripts' | 'remove' | null

/** More people with a problem are counted. */
const MAX_SHOWN_PROBLEMS = 10

/** One connection with its state, problems and actions. */
function ConnectionCard({ connection }: { connection: ApiConnection }) {
  const { name } = connection
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const [message, setMessage] = useState('')
  const close = () => setDialog(null)
  return (
    <Card component="li" withBorder padding="lg">
      <Stack gap="sm">
        <Group gap="xs">
          <Text fw={650} className="break-anywhere">
            <bdi>{name}</bdi>
          </Text>
          <ConnectionState connection={connection} />
        </Group>
        <Problems connection={connection} />
        <DescriptionList facts={listFacts(connection)} />
        <CardActions connection={connection} onOpen={setDialog} onDone={setMessage} />
        <StatusMessage>{message}</StatusMessage>
      </Stack>
      {dialog === 'check' && <CheckDialog connection={connection} onClose={close} />}
      {dialog === 'transcripts' && <TranscriptsDialog connection={connection} onClose={close} />}
      {dialog === 'edit' && (
        <ConnectionForm
          kind={connection.kind}
          connection={connection}
          onClose={close}
          onSaved={() => setMessage('Saved.')}
        />
      )}
      {dialog === 'remove' && <RemoveDialog connection={connection} onClose={close} />}
    </Card>
  )
}

interface CardActionsProps {
  connection: ApiConnection
  onOpen: (dialog: OpenDialog) => void
  onDone: (message: string) => void
}

function CardActions({ connection, onOpen, onDone }: CardActionsProps) {
  const api = useApi()
  const reload = useReload('connections')
  const { id, name, isPaused } = connection
  const pause = useAction(async () => {
    await api.connections.update(id, { isPaused: !isPaused })
    await reload()
    onDone(isPaused ? 'Resumed.' : 'Paused.')
  })
  const read = useAction(async () => {
    await api.connections.read(id)
    await reload()
    onDone('Reading in a few seconds.')
  })
  const dialogs = [
    ['Check', 'check'],
    ['Transcripts', 'transcripts'],
    ['Edit', 'edit'],
  ] as const
  return (
    <>
      <Group gap="xs">
        {dialogs.map(([label, dialog]) => (
          <RowButton
            key={dialog}
            label={label}
            ariaLabel={`${label}: ${name}`}
            onClick={() => onOpen(dialog)}
          />
        ))}
        {!isPaused && (
          <RowButton
            label="Read now"
            ariaLabel={`Read now: ${name}`}
            onClick={() => void read.run()}
          />
        )}
        <RowButton
          label={isPaused ? 'Resume' : 'Pause'}
          ariaLabel={`${isPaused ? 'Resume' : 'Pause'} ${name}`}
          onClick={() => void pause.run()}
        />
        <RowButton label="Remove" of={name} onClick={() => onOpen('remove')} />
      </Group>
      <ErrorBox error={pause.error} />
      <ErrorBox error={read.error} />
    </>
  )
}

function ConnectionState({
  connection: { isPaused, problem, organizers },
}: {
  connection: ApiConnection
}) {
  const hasOtherProblem = organizers.some((organizer) => organizer.problem !== null)
  const [colour, label] = isPaused
    ? ['orange', 'Paused']
    : problem !== null
      ? ['red', 'Can’t be read']
      : hasOtherProblem
        ? ['orange', 'Needs attention']
        : ['moss', 'Connected']
  return <StateBadge colour={colour}>{label}</StateBadge>
}

/** What is wrong with the connection, and with single people. */
function Problems({ connection: { problem, organizers } }: { connection: ApiConnection }) {
  const broken = organizers.flatMap(({ address, problem: own }) =>
    own === null ? [] : [{ address, text: own.text }],
  )
  const others = broken.length - MAX_SHOWN_PROBLEMS
  if (problem === null && broken.length === 0) return null
  return (
    <Stack gap={4}>
      {problem !== null && <Text size="sm">{problem.text}.</Text>}
      <List size="sm" className="break-anywhere">
        {broken.slice(0, MAX_SHOWN_PROBLEMS).map(({ address, text }) => (
          <List.Item key={address}>
            <bdi>{address}</bdi>: {text}.
          </List.Item>
        ))}
        {others > 0 && <List.Item>{others} more people</List.Item>}
      </List>
    </Stack>
  )
}

const CREDENTIAL_TEXTS: Record<CredentialKind, string> = {
  secret: 'a client secret',
  certificate: 'a certificate',
  key: 'the key of a service account',
}

function listFacts(connection: ApiConnection): DescriptionItem[] {
  const {
    project,
    organizers,
    transcripts,
    readAt: lastReadAt,
    credential,
    credentialExpiresAt,
  } = connection
  const others = transcripts.excluded + transcripts.expired + transcripts.failed
  const counts = [
    `${transcripts.imported} read`,
    ...(transcripts.waiting > 0 ? [`${transcripts.waiting} waiting`] : []),
    ...(others > 0 ? [`${others} not read`] : []),
  ]
  const place = project ?? 'A private one for each organizer'
  const read = lastReadAt === null ? 'Never' : <Time key="read" at={lastReadAt} show="ago" />
  const facts: DescriptionItem[] = [
    ['Project', place],
    ['Organizers', organizers.length],
    ['Transcripts', counts.join(', ')],
    ['Last read', read],
    ['Provider', KIND_LABELS[connection.kind]],
    ['Signs in with', CREDENTIAL_TEXTS[credential]],
    // A Google administrator grants the scopes to this number.
    ['Client ID', connection.clientId],
  ]
  if (credentialExpiresAt !== null)
    facts.push(['Expires', <Time key="expires" at={credentialExpiresAt} show="minute" />])
  return facts
}

function RemoveDialog({
  connection: { id, name },
  onClose,
}: {
  connection: ApiConnection
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title={`Remove connection ${name}?`}
      confirmLabel="Remove connection"
      onClose={onClose}
      onConfirm={(api) => api.connections.remove(id)}
      reloads={['connections']}
    >
      Hansard deletes its secret or key and reads no further transcripts. Meetings that were stored
      stay.
    </ConfirmDialog>
  )
}

interface CheckDialogProps {
  connection: ApiConnection
  onClose: () => void
}

/** Tries everything that a connection needs, and says what is missing. */
function CheckDialog({ connection: { id, name }, onClose }: CheckDialogProps) {
  const query = useConnectionCheck(id)
  return (
    <Dialog title={`Check ${name}`} size="lg" onClose={onClose}>
      <Stack gap="md">
        <QueryView query={query} label="the check">
          {({ ok, checks }) => (
            <Stack gap="sm">
              <Text role="status">
                {ok ? 'Everything that was tried works.' : 'Something is missing.'}
              </Text>
              <List size="sm" className="break-anywhere">
                {checks.map((line) => (
                  <List.Item key={line.name}>
                    <b>
                      {line.ok ? 'OK' : 'Needs attention'}: <bdi>{line.name}</bdi>
                    </b>
                    <br />
                    {line.text}.
                  </List.Item>
                ))}
              </List>
            </Stack>
          )}
        </QueryView>
        <Group justify="flex-end">
          <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
            Check again
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

type Transcript = ApiConnectionTranscripts['transcripts'][number]

const STATE_LABELS: Record<TranscriptState, string> = {
  waiting: 'Waiting',
  imported: 'Read',
  excluded: 'Excluded',
  expired: 'Expired',
  failed: 'Failed',
}

const COLUMNS: [Column<Transcript>, ...Column<Transcript>[]] = [
  {
    header: 'Began',
    cell: ({ beganAt, meetingId }) =>
      meetingId === null ? (
        <Time at={beganAt} show="minute" />
      ) : (
        <TextLink {...meetingPage(meetingId)}>
          <Time at={beganAt} show="minute" />
        </TextLink>
      ),
  },
  { header: 'Organizer', cell: ({ organizer }) => <bdi>{organizer}</bdi> },
  { header: 'State', cell: ({ state }) => STATE_LABELS[state], isShort: true },
  {
    header: 'Reason',
    cell: ({ problem, changedAt }) => (
      <Text size="sm" className="break-anywhere">
        {problem?.text ?? (changedAt === null ? '' : 'Changed by the provider after it was read')}
      </Text>
    ),
  },
]

interface TranscriptsDialogProps {
  connection: ApiConnection
  onClose: () => void
}

/** The newest transcripts of a connection. Titles are missing, because not every admin may read the meetings. */
function TranscriptsDialog({ connection: { id, name }, onClose }: TranscriptsDialogProps) {
  const query = useConnectionTranscripts(id)
  return (
    <Dialog title={`Transcripts of ${name}`} size="lg" onClose={onClose}>
      <Stack gap="md">
        <QueryView query={query} label="the transcripts">
          {({ transcripts, nextCursor }) =>
            transcripts.length === 0 ? (
              <Text>No transcripts were found yet.</Text>
            ) : (
              <Stack gap="sm">
                <DataTable
                  caption={`Transcripts of ${name}`}
                  rows={transcripts}
                  columns={COLUMNS}
                  hasShortNames
                />
                {nextCursor !== null && (
                  <Text size="sm">
                    These are the newest {transcripts.length}. The API has the others.
                  </Text>
                )}
              </Stack>
            )
          }
        </QueryView>
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
