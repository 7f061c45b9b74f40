import { useState } from 'react'
import { Text, Group, Stack, Button, Progress } from '@mantine/core'
import type { ApiReplay, ApiFailedEventCounts } from '../../src/http/shapes/deliveries.ts'
import { useApi, useReload } from '../api/use-api.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { Form, readFormText, useAction, ActionButton } from '../ui/forms.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { TextField } from '../ui/fields.tsx'

interface ReplayDialogProps {
  meetingId: string
  title: string
  /** The sequence of the only event to replay. If missing, the user chooses a range of events. */
  sequence?: number
  onClose: () => void
  onDone: (replay: ApiReplay) => void
}

/** Sends stored events again, with the same bytes and sequences. */
export function ReplayDialog({ meetingId, title, sequence, onClose, onDone }: ReplayDialogProps) {
  const api = useApi()
  const refresh = useReload('deliveries')
  const action = useAction(async (values: FormData) => {
    const [from, to, url] = ['from', 'to', 'callbackUrl'].map((name) => readFormText(values, name))
    const range =
      sequence === undefined
        ? { ...(from && { from: Number(from) }), ...(to && { to: Number(to) }) }
        : { from: sequence, to: sequence }
    const body = { ...range, ...(url && { callbackUrl: url }) }
    onDone(await api.meetings.replay(meetingId, body))
    await refresh()
    onClose()
  })
  const what = sequence === undefined ? `events of “${title}”` : `event ${sequence} of “${title}”`
  return (
    <Dialog title={`Replay ${what}`} onClose={onClose}>
      <Form action={action}>
        <Text size="sm">
          Events are sent again unchanged, with their original sequence numbers, so your receiver
          can skip duplicates. New callbacks are not delayed.
        </Text>
        {sequence === undefined && (
          <Group grow align="flex-start">
            <TextField
              name="from"
              label="From sequence number"
              description="Default: the first event"
              isOptional
              autoComplete="on"
            />
            <TextField
              name="to"
              label="To sequence number"
              description="Default: the latest event"
              isOptional
              autoComplete="on"
            />
          </Group>
        )}
        <TextField
          name="callbackUrl"
          label="Callback URL"
          description="Default: the callback URL of the meeting"
          isOptional
          autoComplete="on"
        />
        <Stack align="flex-end">
          <Group>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={action.isRunning} data-autofocus>
              Replay
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}

interface ReplayFailedDialogProps {
  failed: ApiFailedEventCounts
  onClose: () => void
  onDone: (events: number) => void
}

/** Replays all undelivered events in batches. Closing the dialog leaves the remaining events undelivered. */
export function ReplayFailedEventsDialog({ failed, onClose, onDone }: ReplayFailedDialogProps) {
  const api = useApi()
  const refresh = useReload('deliveries')
  const [initial] = useState(failed)
  const [sent, setSent] = useState(0)
  const action = useAction(async () => {
    let all = 0
    for (;;) {
      const replay = await api.deliveries.replayFailed()
      all += replay.events
      setSent(all)
      if (replay.remaining === 0 || replay.events === 0 || all >= initial.events) break
    }
    await refresh()
    onDone(all)
    onClose()
  })
  return (
    <Dialog
      title={`Replay ${formatCountWithNoun(initial.events, 'failed event')}?`}
      onClose={onClose}
    >
      <Stack>
        <Text>
          {formatCountWithNoun(initial.events, 'event')} of{' '}
          {formatCountWithNoun(initial.meetings, 'meeting')} could not be delivered. They are sent
          again unchanged, with their original sequence numbers, to:
        </Text>
        <ul className="plain-list attention-list">
          {initial.destinations.map(({ url, events }) => (
            <li key={url} className="break-anywhere">
              <b>{url}</b> · {formatCountWithNoun(events, 'event')}
            </li>
          ))}
        </ul>
        {action.isRunning && (
          <Progress value={(sent / initial.events) * 100} aria-label="Replayed events" />
        )}
        <ErrorBox error={action.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <ActionButton action={action}>Replay all</ActionButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
