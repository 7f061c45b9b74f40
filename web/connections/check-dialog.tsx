import { Button, Group, List, Stack, Text } from '@mantine/core'
import type { ApiConnection } from '../../src/http/shapes/connections.ts'
import { useConnectionCheck } from './queries.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'

interface CheckDialogProps {
  connection: ApiConnection
  onClose: () => void
}

/** Tries everything that a connection needs, and says what is missing. */
export function CheckDialog({ connection: { id, name }, onClose }: CheckDialogProps) {
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
