import { Button, Group, Stack, Text } from '@mantine/core'
import type { ApiReplay } from '../../src/http/shapes/deliveries.ts'
import { useApi } from '../api/app-state.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { TextField, Form, readFormText, useAction } from '../ui/forms/form.tsx'
import { useRefreshDeliveries } from './queries.ts'

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
  const refresh = useRefreshDeliveries()
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
            />
            <TextField
              name="to"
              label="To sequence number"
              description="Default: the latest event"
              isOptional
            />
          </Group>
        )}
        <TextField
          name="callbackUrl"
          label="Callback URL"
          description="Default: the callback URL of the meeting"
          isOptional
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
