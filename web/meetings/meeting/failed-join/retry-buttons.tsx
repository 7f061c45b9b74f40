import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ACCOUNT_PLATFORMS } from '../../../../src/http/shapes/values.ts'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { toApiError } from '../../../api/api-error.ts'
import { ErrorBox } from '../../../ui/feedback/error-box.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'
import { ButtonLink } from '../../../ui/links.tsx'
import { isActiveStatus } from '../../meeting-labels.ts'
import { useCanEditMeeting } from '../editing/edit-dialogs.tsx'
import { BotAccountDialog, botAccountButtonLabel } from './bot-account-dialog.tsx'
import { useRetryMeeting, type RetryChanges } from './use-retry-meeting.ts'

interface RetryButtonsProps {
  meeting: WireMeetingDetail
  /** True if a signed-in bot may get in where a guest does not. */
  accountHelps: boolean
  /** True if the meeting's link does not work, so that another attempt would not help. */
  needsNewLink: boolean
}

/** Starts an ended meeting again, unchanged or with a bot account. If that already runs, links to it. */
export function RetryButtons(props: RetryButtonsProps) {
  const { retriedAs } = props.meeting
  const canEdit = useCanEditMeeting()
  if (retriedAs === null || !isActiveStatus(retriedAs.status))
    return canEdit ? <StartAgain {...props} /> : null
  return (
    <Group gap="sm" mt="xs">
      <ButtonLink to="/meetings/$meetingId" params={{ meetingId: retriedAs.meetingId }}>
        Open the new attempt
      </ButtonLink>
      <Text size="sm">Hansard is trying this meeting again.</Text>
    </Group>
  )
}

function StartAgain({ meeting, accountHelps, needsNewLink }: RetryButtonsProps) {
  const start = useRetryMeeting(meeting.meetingId)
  // Known from a refusal: the API token for the events is another person's, revoked, or may not use the project.
  const [isWithoutEvents, setWithoutEvents] = useState(false)
  const retry = async (changes: RetryChanges) => {
    try {
      await start({ ...changes, ...(isWithoutEvents && { withoutCallbacks: true }) })
    } catch (error) {
      if (toApiError(error).code === 'callbacks_not_allowed') setWithoutEvents(true)
      throw error
    }
  }
  const action = useAction(retry)
  const [isChoosing, setChoosing] = useState(false)
  const hasAccounts = ACCOUNT_PLATFORMS.some((platform) => platform === meeting.platform)
  const retryLabel = isWithoutEvents
    ? 'Try again without sending events to the other program'
    : 'Try again'
  return (
    <Stack gap="xs" mt="xs">
      <Group gap="xs">
        {needsNewLink && <ButtonLink to="/meetings">Start a meeting</ButtonLink>}
        <Button
          {...(needsNewLink && { variant: 'default' })}
          loading={action.isRunning}
          onClick={() => void action.run({})}
        >
          {retryLabel}
        </Button>
        {(accountHelps || meeting.account !== null) && hasAccounts && (
          <Button variant="default" onClick={() => setChoosing(true)}>
            {botAccountButtonLabel(meeting)}
          </Button>
        )}
      </Group>
      {action.error ? <ErrorBox error={action.error} /> : null}
      {isChoosing && (
        <BotAccountDialog
          meeting={meeting}
          retry={retry}
          retryLabel={retryLabel}
          onClose={() => setChoosing(false)}
        />
      )}
    </Stack>
  )
}
