import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiFailedEventCounts } from '../../src/http/shapes/deliveries.ts'
import { useApi } from '../api/app-state.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { useAction } from '../ui/forms/form.tsx'
import { useRefreshDeliveries } from './queries.ts'

interface ReplayFailedDialogProps {
  failed: ApiFailedEventCounts
  onClose: () => void
  onDone: (events: number) => void
}

/** Replays all undelivered events in batches. Closing the dialog leaves the remaining events undelivered. */
export function ReplayFailedEventsDialog({ failed, onClose, onDone }: ReplayFailedDialogProps) {
  const api = useApi()
  const refresh = useRefreshDeliveries()
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
