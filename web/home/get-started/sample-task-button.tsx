import { Button, Stack } from '@mantine/core'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { useRunSampleTask } from '../../tasks/use-run-task.ts'

/** Creates a sample task, runs it and opens the page of the run. */
export function RunSampleTaskButton() {
  const action = useAction(useRunSampleTask())
  return (
    <Stack gap="xs">
      <Button variant="default" loading={action.isRunning} onClick={() => void action.run()}>
        Run a sample task
      </Button>
      {action.error ? <ErrorBox error={action.error} /> : null}
    </Stack>
  )
}
