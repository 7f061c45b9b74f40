import { Button, Group, Stack, Text } from '@mantine/core'
import type { WireReplay } from '../../src/http/shapes/deliveries.ts'
import { useApi } from '../api/app-state.tsx'
import { meetingApiPath } from '../meetings/queries.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, readFormText } from '../ui/forms/form.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useRefreshDeliveries } from './queries.ts'

interface ReplayDialogProps {
  meetingId: string
  /** Of the meeting. */
  title: string
  /** Only this event; without it all of them, or a part that is asked for. */
  sequence?: number
  onClose: () => void
  onDone: (replay: WireReplay) => void
}

/** Sends stored events once more: the same bytes and numbers, so a receiver that has them drops them. */
export function ReplayDialog({ meetingId, title, sequence, onClose, onDone }: ReplayDialogProps) {
  const api = useApi()
  const refresh = useRefreshDeliveries()
  const action = useAction(async (values: FormData) => {
    const [from, to, url] = ['from', 'to', 'callbackUrl'].map((name) =>
      readFormText(values, name).trim(),
    )
    const range =
      sequence === undefined
        ? { ...(from && { from: Number(from) }), ...(to && { to: Number(to) }) }
        : { from: sequence, to: sequence }
    const body = { ...range, ...(url && { callbackUrl: url }) }
    onDone(await api.post<WireReplay>(`${meetingApiPath(meetingId)}/events/replay`, body))
    await refresh()
    onClose()
  })
  const what = sequence === undefined ? `events of “${title}”` : `event ${sequence} of “${title}”`
  return (
    <Dialog title={`Replay ${what}`} onClose={onClose}>
      <Form action={action}>
        <Text size="sm">
          They go out again as they were, with their old numbers, so that a receiver can drop what
          it has. New callbacks of the meeting do not wait for them.
        </Text>
        {sequence === undefined && (
          <Group grow align="flex-start">
            <TextField
              name="from"
              label="First number"
              description="Empty: the first there is"
              isOptional
            />
            <TextField
              name="to"
              label="Last number"
              description="Empty: the newest there is"
              isOptional
            />
          </Group>
        )}
        <TextField
          name="callbackUrl"
          label="Other callback URL"
          description="Empty: the one that the meeting was started with"
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
