import { Button, Group, Text } from '@mantine/core'
import { useEventStream, useStreamState } from '../../api/event-stream-context.tsx'

/** Always in the page, so that screen readers hear when the connection goes and comes back. */
export function ConnectionLostBanner() {
  const live = useEventStream()
  const state = useStreamState()
  return (
    <div role="status" className={state === 'lost' ? 'lost-banner' : ''}>
      {state === 'lost' && (
        <Group justify="space-between" gap="sm">
          <Text size="sm">
            The connection to Hansard is lost. What you see may be old; nothing is lost, and this
            page goes on by itself when the connection is back.
          </Text>
          <Button variant="default" size="xs" onClick={live.retry}>
            Try now
          </Button>
        </Group>
      )}
    </div>
  )
}
