import { Stack, Group, Title, Button, Card, Text } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useProjectRights } from '../../access/queries.ts'
import { isNotFoundError } from '../../api/api-error.ts'
import { useApi, useReload } from '../../api/use-api.tsx'
import { QueryView, StatusMessage, ErrorBox } from '../../ui/feedback/feedback.tsx'
import { NotificationForm, FORMAT_LABELS, TOPIC_LABELS } from './notification-form.tsx'
import type {
  ApiNotification,
  ApiNotificationAttempts,
} from '../../../src/http/shapes/notifications.ts'
import { OutcomeBadge } from '../../deliveries/delivery-texts.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialogs.tsx'
import { Time } from '../../ui/format/time.tsx'
import { useAction } from '../../ui/forms.tsx'
import { type Column, DataTable, RowButton } from '../../ui/tables/data-table.tsx'
import { Hint, StateBadge } from '../../ui/text.tsx'

/** Deliveries of messages are not in the event stream, so the page polls them. */
const REFRESH_MS = 5_000

/** The chats to which a project posts. Only editors see them. */
export function NotificationsSection({ project }: { project: string }) {
  const { canEdit } = useProjectRights(project)
  return canEdit ? <Notifications project={project} /> : null
}

function Notifications({ project }: { project: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['projects', 'notifications', project],
    queryFn: () => api.projects.notifications(project),
    refetchInterval: REFRESH_MS,
  })
  const [isAdding, setAdding] = useState(false)
  const [note, setNote] = useState('')
  // The list of transcripts already says that there is no such project.
  if (isNotFoundError(query.error)) return null
  return (
    <Stack gap="sm" component="section" aria-labelledby="project-notifications">
      <Group justify="space-between" gap="sm">
        <Title order={2} id="project-notifications">
          Notifications
        </Title>
        <Button variant="default" size="xs" onClick={() => setAdding(true)}>
          Add notification
        </Button>
      </Group>
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the notifications">
        {({ notifications }) =>
          notifications.length === 0 ? (
            <Hint>
              Post recaps, action items and failures to a channel of Slack, Microsoft Teams or
              Mattermost.
            </Hint>
          ) : (
            <Stack component="ul" gap="sm" className="plain-list" aria-label="Notifications">
              {notifications.map((notification) => (
                <NotificationCard key={notification.id} notification={notification} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      {isAdding && (
        <NotificationForm
          project={project}
          notification={null}
          onClose={() => setAdding(false)}
          onSaved={() => setNote('Added. Send a test to see whether messages arrive.')}
        />
      )}
    </Stack>
  )
}

type OpenDialog = 'edit' | 'history' | 'remove' | null
type Message = { text: string; isFailure: boolean }

/** One notification with its state, problem and actions. */
function NotificationCard({ notification }: { notification: ApiNotification }) {
  const { name, project, format, host, topics, pending } = notification
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const [message, setMessage] = useState<Message>({ text: '', isFailure: false })
  const close = () => setDialog(null)
  const done = (text: string, isFailure = false) => setMessage({ text, isFailure })
  return (
    <Card component="li" withBorder padding="md">
      <Stack gap="xs">
        <Group gap="xs">
          <Text fw={650} className="break-anywhere">
            <bdi>{name}</bdi>
          </Text>
          <NotificationState notification={notification} />
        </Group>
        <Hint>
          {FORMAT_LABELS[format]} at {host} ·{' '}
          {topics.map((topic) => TOPIC_LABELS[topic]).join(', ')}
          {pending > 0 && ` · ${pending} waiting`}
        </Hint>
        <Problem notification={notification} />
        <CardActions notification={notification} onOpen={setDialog} onDone={done} />
        <StatusMessage isFailure={message.isFailure}>{message.text}</StatusMessage>
      </Stack>
      {dialog === 'history' && <HistoryDialog notification={notification} onClose={close} />}
      {dialog === 'edit' && (
        <NotificationForm
          project={project}
          notification={notification}
          onClose={close}
          onSaved={() => done('Saved.')}
        />
      )}
      {dialog === 'remove' && <RemoveDialog notification={notification} onClose={close} />}
    </Card>
  )
}

function NotificationState({
  notification: { isPaused, problem },
}: {
  notification: ApiNotification
}) {
  const [colour, label] = isPaused
    ? problem === null
      ? ['orange', 'Paused']
      : ['red', 'Stopped']
    : problem === null
      ? ['moss', 'Active']
      : ['orange', 'Retrying']
  return <StateBadge colour={colour}>{label}</StateBadge>
}

/** Why messages do not arrive, with the words of the chat. */
function Problem({ notification }: { notification: ApiNotification }) {
  const { problem, answer, isPaused, nextAttemptAt } = notification
  if (problem === null) return null
  return (
    <Text size="sm" className="break-anywhere">
      {/^\d/.test(problem.label) ? `The chat answered ${problem.label}` : problem.label}
      {answer !== null && (
        <>
          : “<bdi>{answer}</bdi>”
        </>
      )}
      . {problem.hint}.{' '}
      {isPaused
        ? 'Nothing is sent until you resume it.'
        : nextAttemptAt !== null && (
            <>
              Hansard tries again <Time at={nextAttemptAt} show="relative" />.
            </>
          )}
    </Text>
  )
}

interface CardActionsProps {
  notification: ApiNotification
  onOpen: (dialog: OpenDialog) => void
  onDone: (message: string, isFailure?: boolean) => void
}

function CardActions({ notification, onOpen, onDone }: CardActionsProps) {
  const api = useApi()
  const reload = useReload('projects')
  const { id, project, name, isPaused } = notification
  const test = useAction(async () => {
    const { outcome, problem, answer } = await api.projects.testNotification(project, id)
    if (outcome === 'delivered') return onDone('The chat accepted the test message.')
    const reason = answer === '' ? (problem?.hint ?? '') : `“${answer}”`
    onDone(`The test message did not arrive: ${problem?.label ?? 'no answer'}. ${reason}`, true)
  })
  const pause = useAction(async () => {
    await api.projects.updateNotification(project, id, { isPaused: !isPaused })
    await reload()
    onDone(isPaused ? 'Resumed.' : 'Paused.')
  })
  const buttons: Array<[label: string, onClick: () => void]> = [
    ['Send a test', () => void test.run()],
    ['History', () => onOpen('history')],
    ['Edit', () => onOpen('edit')],
    [isPaused ? 'Resume' : 'Pause', () => void pause.run()],
    ['Remove', () => onOpen('remove')],
  ]
  return (
    <>
      <Group gap="xs">
        {buttons.map(([label, onClick]) => (
          <RowButton key={label} label={label} ariaLabel={`${label}: ${name}`} onClick={onClick} />
        ))}
      </Group>
      <ErrorBox error={test.error} />
      <ErrorBox error={pause.error} />
    </>
  )
}

type Attempt = ApiNotificationAttempts['attempts'][number] & { id: string }

const COLUMNS: [Column<Attempt>, ...Column<Attempt>[]] = [
  { header: 'Sent', cell: ({ startedAt }) => <Time at={startedAt} show="minute" /> },
  {
    header: 'Result',
    // “Unsubscribed” is for receivers of callbacks.
    cell: ({ outcome, ...attempt }) => (
      <OutcomeBadge attempt={{ ...attempt, outcome: outcome === 'gone' ? 'failed' : outcome }} />
    ),
    card: 'line',
  },
  {
    header: 'Answer',
    cell: ({ answer }) => (
      <Text size="sm" className="break-anywhere" lineClamp={3}>
        <bdi>{answer}</bdi>
      </Text>
    ),
    card: 'line',
  },
]

interface NotificationDialogProps {
  notification: ApiNotification
  onClose: () => void
}

function HistoryDialog({ notification: { id, project, name }, onClose }: NotificationDialogProps) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['projects', 'notification-attempts', id],
    queryFn: () => api.projects.notificationAttempts(project, id),
  })
  return (
    <Dialog title={`History of ${name}`} size="lg" onClose={onClose}>
      <QueryView query={query} label="the history">
        {({ attempts }) =>
          attempts.length === 0 ? (
            <Text>Nothing was sent yet.</Text>
          ) : (
            <DataTable
              caption="Newest messages"
              rows={attempts.map((attempt) => ({ ...attempt, id: attempt.deliveryId }))}
              columns={COLUMNS}
            />
          )
        }
      </QueryView>
    </Dialog>
  )
}

function RemoveDialog({ notification: { id, project, name }, onClose }: NotificationDialogProps) {
  return (
    <ConfirmDialog
      title={`Remove notification ${name}?`}
      confirmLabel="Remove notification"
      onClose={onClose}
      onConfirm={(api) => api.projects.removeNotification(project, id)}
      reloads={['projects']}
    >
      Hansard deletes the address of the webhook and sends no further messages. Messages in the chat
      stay.
    </ConfirmDialog>
  )
}
