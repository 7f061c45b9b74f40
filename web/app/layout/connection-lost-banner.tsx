import { Button, Group, Text } from '@mantine/core'
import { useEventStream, useEventStreamState } from '../../api/event-stream-context.tsx'

/** Rendered even if empty, so that screen readers announce changes of the connection. */
export function ConnectionLostBanner() {
  const stream = useEventStream()
  const state = useEventStreamState()
  return (
    <div role="status" className={state === 'lost' ? 'lost-banner' : ''}>
      {state === 'lost' && (
        <Group justify="space-between" gap="sm">
          <Text size="sm">
            Connection lost. This page may be out of date. Hansard reconnects automatically and then
            shows what was recorded in the meantime.
          </Text>
          <Button variant="default" size="xs" onClick={stream.retry}>
            Retry now
          </Button>
        </Group>
      )}
    </div>
  )
}
