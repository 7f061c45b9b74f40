import { Badge, Card, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiConnection } from '../../src/http/shapes/connections.ts'
import { useApi } from '../api/app-state.tsx'
import { CheckDialog } from './check-dialog.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { useReloadConnections } from './queries.ts'
import { TranscriptsDialog } from './transcripts-dialog.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { ErrorBox, StatusMessage } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { useAction } from '../ui/forms/form.tsx'
import { DescriptionList, type DescriptionItem } from '../ui/layout/description-list.tsx'
import { RowButton } from '../ui/tables/data-table.tsx'

type OpenDialog = 'check' | 'edit' | 'transcripts' | 'remove' | null

/** More people with a problem are counted. */
const MAX_SHOWN_PROBLEMS = 10

/** One connection with its state, problems and actions. */
export function ConnectionCard({ connection }: { connection: ApiConnection }) {
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
          <StateBadge connection={connection} />
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
  const reload = useReloadConnections()
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
        <RowButton label="Remove" ariaLabel={`Remove ${name}`} onClick={() => onOpen('remove')} />
      </Group>
      {pause.error !== null && <ErrorBox error={pause.error} />}
      {read.error !== null && <ErrorBox error={read.error} />}
    </>
  )
}

function StateBadge({
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
  return (
    <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
      {label}
    </Badge>
  )
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
    ['Signs in with', credential === 'secret' ? 'a client secret' : 'a certificate'],
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
  const api = useApi()
  const reload = useReloadConnections()
  return (
    <ConfirmDialog
      title={`Remove connection ${name}?`}
      confirmLabel="Remove connection"
      onClose={onClose}
      onConfirm={async () => {
        await api.connections.remove(id)
        await reload()
      }}
    >
      Hansard deletes its secret or private key and reads no further transcripts. Meetings that were
      stored stay.
    </ConfirmDialog>
  )
}
