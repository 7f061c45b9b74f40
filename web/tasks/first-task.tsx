import { Button, Stack } from '@mantine/core'
import { ErrorBox } from '../ui/error-box.tsx'
import { useAction } from '../ui/use-action.ts'
import { useRunSample } from './run-task.ts'

/** One click from nothing to the page of a run. */
export function FirstTaskButton() {
  const action = useAction(useRunSample())
  return (
    <Stack gap="xs">
      <Button variant="default" loading={action.isRunning} onClick={() => void action.run()}>
        Run a sample task
      </Button>
      {action.error ? <ErrorBox error={action.error} /> : null}
    </Stack>
  )
}
