import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireFailedEvents, WireFailedReplay } from '../../src/http/shapes/deliveries.ts'
import { useApi } from '../api/app-state.tsx'
import { pluralize } from '../meetings/meeting-labels.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useRefreshDeliveries } from './queries.ts'

interface ReplayFailedDialogProps {
  failed: WireFailedEvents
  onClose: () => void
  onDone: (events: number) => void
}

/** Names how many go where. The service takes them in portions; closing the dialog leaves the rest on the list. */
export function ReplayFailedDialog({ failed, onClose, onDone }: ReplayFailedDialogProps) {
  const api = useApi()
  const refresh = useRefreshDeliveries()
  const [asked] = useState(failed)
  const [sent, setSent] = useState(0)
  const action = useAction(async () => {
    let all = 0
    for (;;) {
      const replay = await api.post<WireFailedReplay>('/web/deliveries/failed/replay')
      all += replay.events
      setSent(all)
      if (replay.remaining === 0 || replay.events === 0 || all >= asked.events) break
    }
    await refresh()
    onDone(all)
    onClose()
  })
  return (
    <Dialog title={`Replay ${pluralize(asked.events, 'failed event')}?`} onClose={onClose}>
      <Stack>
        <Text>
          {pluralize(asked.events, 'event')} of {pluralize(asked.meetings, 'meeting')} were given
          up. They go out again as they were, with their old numbers, to:
        </Text>
        <ul className="plain-list needs">
          {asked.destinations.map(({ url, events }) => (
            <li key={url} className="break-anywhere">
              <b>{url}</b> · {pluralize(events, 'event')}
            </li>
          ))}
        </ul>
        {action.isRunning && (
          <Progress value={(sent / asked.events) * 100} aria-label="Events on the way" />
        )}
        {action.error ? <ErrorBox error={action.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button loading={action.isRunning} onClick={() => void action.run()}>
            Replay all
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
