import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { ACCOUNT_PLATFORMS } from '../../../../src/http/shapes/values.ts'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { toApiError } from '../../../api/api-error.ts'
import { ErrorBox } from '../../../ui/feedback/error-box.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'
import { BotAccountDialog } from './bot-account-dialog.tsx'
import { useRetryMeeting, type RetryChanges } from './use-retry-meeting.ts'

/** Starts a meeting that is over again, as it was or with a bot account. */
export function RetryButtons({
  meeting,
  accountHelps,
}: {
  meeting: WireMeetingDetail
  accountHelps: boolean
}) {
  const retry = useRetryMeeting(meeting.meetingId)
  const action = useAction((changes: RetryChanges) => retry(changes))
  const [isChoosing, setChoosing] = useState(false)
  // The callbacks of the meeting belong to another person, or to a token that was revoked.
  const isWithoutCallbacks =
    action.error !== null && toApiError(action.error).code === 'callbacks_not_allowed'
  const hasAccounts = ACCOUNT_PLATFORMS.some((platform) => platform === meeting.platform)
  return (
    <Stack gap="xs" mt="xs">
      <Group gap="xs">
        <Button
          loading={action.isRunning}
          onClick={() => void action.run(isWithoutCallbacks ? { withoutCallbacks: true } : {})}
        >
          {isWithoutCallbacks ? 'Try again without callbacks' : 'Try again'}
        </Button>
        {accountHelps && hasAccounts && (
          <Button variant="default" onClick={() => setChoosing(true)}>
            {meeting.account === null ? 'Use a bot account' : 'Use another bot account'}
          </Button>
        )}
      </Group>
      {action.error ? <ErrorBox error={action.error} /> : null}
      {isChoosing && (
        <BotAccountDialog
          meeting={meeting}
          withoutCallbacks={isWithoutCallbacks}
          onClose={() => setChoosing(false)}
        />
      )}
    </Stack>
  )
}
