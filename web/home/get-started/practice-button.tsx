import { Button, Stack } from '@mantine/core'
import { PRACTICE_MEETING_INPUT, useStartMeeting } from '../../meetings/use-start-meeting.ts'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction } from '../../ui/forms/form.tsx'

export function PracticeButton({ isPrimary }: { isPrimary: boolean }) {
  const start = useStartMeeting()
  const action = useAction(() => start(PRACTICE_MEETING_INPUT))
  return (
    <Stack gap="xs">
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        loading={action.isRunning}
        onClick={() => void action.run()}
      >
        Start a practice meeting
      </Button>
      {action.error ? <ErrorBox error={action.error} /> : null}
    </Stack>
  )
}
