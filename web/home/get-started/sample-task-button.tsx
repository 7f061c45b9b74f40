import { Button, Stack } from '@mantine/core'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction } from '../../ui/forms/form.tsx'
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
