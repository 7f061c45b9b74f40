import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Stack, Text, Group, Button, NativeSelect } from '@mantine/core'
import type { EndReason, ApiMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { formatDurationWithUnits } from '../../../src/lib/time/duration-text.ts'
import { useSignedInUser, useApi, useReload, useApiQuery } from '../../api/use-api.tsx'
import {
  hasNothingRecorded,
  isActiveStatus,
  MEETING_END_REASON_TEXTS,
  PLATFORM_LABELS,
} from '../meeting-labels.ts'
import { TextLink, ButtonLink, meetingPage } from '../../ui/links.tsx'
import type { ApiBotAccounts } from '../../../src/http/shapes/bot-accounts.ts'
import { ACCOUNT_PLATFORMS } from '../../../src/http/shapes/values.ts'
import { toApiError } from '../../api/api-error.ts'
import { useCanEditMeeting } from './editing/edit-dialogs.tsx'
import { Dialog } from '../../ui/dialogs.tsx'
import { ErrorBox, QueryView } from '../../ui/feedback/feedback.tsx'
import { Form, readFormText, useAction } from '../../ui/forms.tsx'

/** Says why the bot is not in the meeting, and what the user can do. */
export function MeetingStatusNotice({ meeting }: { meeting: ApiMeetingDetail }) {
  const { status, reason } = meeting
  if (reason === null || isActiveStatus(status)) return null
  if (MEETING_END_REASON_TEXTS[reason].nextStep === undefined && !hasNothingRecorded(meeting))
    return null
  return <EndedNotice meeting={meeting} reason={reason} />
}

/** Why a meeting ended before anything was recorded, what helps, and the buttons for it. */
function EndedNotice({ meeting, reason }: { meeting: ApiMeetingDetail; reason: EndReason }) {
  const { meetingId, status, detail, evidenceCount } = meeting
  const { what, nextStep, accountHelps, needsNewLink, checksHelp, ...text } =
    MEETING_END_REASON_TEXTS[reason]
  const isAdmin = useSignedInUser().role === 'admin'
  const [headline, more] =
    text.detail === 'headline' && detail !== null ? splitFirstSentence(detail) : [what, null]
  const isDetailBelow =
    text.detail === 'below' || (text.detail === 'below with account' && meeting.account !== null)
  const lines = [
    isDetailBelow && detail !== what ? detail : null,
    more,
    describeTimeInCall(meeting),
  ]
  return (
    <div className={status === 'error' ? 'notice notice-error' : 'notice'} role="note">
      <Stack gap={4}>
        <Text fw={650} className="break-anywhere">
          {headline}
        </Text>
        {lines.map(
          (line) =>
            line !== null && (
              <Text key={line} size="sm" className="break-anywhere">
                {line}
              </Text>
            ),
        )}
        {nextStep && more === null && <Text size="sm">{nextStep}</Text>}
        <RetryButtons
          meeting={meeting}
          accountHelps={accountHelps ?? false}
          needsNewLink={needsNewLink ?? false}
        />
        <Group gap="md">
          {evidenceCount > 0 && (
            <TextLink {...meetingPage(meetingId)} search={{ tab: 'evidence' }} size="sm">
              View screenshots
            </TextLink>
          )}
          {checksHelp && isAdmin && (
            <TextLink to="/system" size="sm">
              Open system checks
            </TextLink>
          )}
        </Group>
      </Stack>
    </div>
  )
}

/** The server's texts end without a full stop. */
function splitFirstSentence(text: string): [string, string | null] {
  const end = text.indexOf('. ')
  return end < 0 ? [`${text}.`, null] : [text.slice(0, end + 1), `${text.slice(end + 2)}.`]
}

/** Null unless the bot was in the call but no one spoke, or no captions came. */
function describeTimeInCall(meeting: ApiMeetingDetail): string | null {
  const { liveAt, endedAt } = meeting
  if (liveAt === null || endedAt === null || !hasNothingRecorded(meeting)) return null
  const time = formatDurationWithUnits(Date.parse(endedAt) - Date.parse(liveAt))
  return `The bot was in the meeting for ${time}, and no captions came in that time.`
}

interface RetryButtonsProps {
  meeting: ApiMeetingDetail
  /** True if a signed-in bot may get in where a guest does not. */
  accountHelps: boolean
  /** True if the meeting's link does not work, so that another attempt would not help. */
  needsNewLink: boolean
}

/** Starts an ended meeting again, unchanged or with a bot account. If that already runs, links to it. */
function RetryButtons(props: RetryButtonsProps) {
  const { retriedAs } = props.meeting
  const canEdit = useCanEditMeeting()
  if (retriedAs === null || !isActiveStatus(retriedAs.status))
    return canEdit ? <StartAgain {...props} /> : null
  return (
    <Group gap="sm" mt="xs">
      <ButtonLink {...meetingPage(retriedAs.meetingId)}>Open the new attempt</ButtonLink>
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
      <ErrorBox error={action.error} />
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

interface BotAccountDialogProps {
  meeting: ApiMeetingDetail
  retry: (changes: RetryChanges) => Promise<void>
  /** Text of the button that tries again. */
  retryLabel: string
  onClose: () => void
}

/** Chooses the bot account for another attempt. A guest is offered only if the meeting had an account before. */
function BotAccountDialog(props: BotAccountDialogProps) {
  const { meeting, onClose } = props
  const query = useUsableBotAccounts()
  return (
    <Dialog title={botAccountButtonLabel(meeting)} onClose={onClose}>
      <QueryView query={query} label="the bot accounts">
        {({ botAccounts }) => {
          const usable = botAccounts.filter(({ platform }) => platform === meeting.platform)
          return usable.length === 0 && meeting.account === null ? (
            <NoBotAccount meeting={meeting} />
          ) : (
            <AccountForm {...props} accounts={usable} />
          )
        }}
      </QueryView>
    </Dialog>
  )
}

function botAccountButtonLabel({ account }: ApiMeetingDetail): string {
  return account === null ? 'Use a bot account' : 'Change the bot account'
}

/** The value of the choice to join without an account. No account has an empty name. */
const GUEST = ''

function AccountForm({
  meeting,
  retry,
  retryLabel,
  onClose,
  accounts,
}: BotAccountDialogProps & { accounts: ApiBotAccounts['botAccounts'] }) {
  const action = useAction(async (values: FormData) => {
    const account = readFormText(values, 'account')
    await retry({ account: account === GUEST ? null : account })
    onClose()
  })
  const guest = { value: GUEST, label: 'Guest, without an account' }
  return (
    <Form action={action}>
      <Stack>
        <NativeSelect
          name="account"
          label="Bot account"
          description={`The bot joins signed in to ${PLATFORM_LABELS[meeting.platform]}. Invite this account to the meeting first, if only invited people get in.`}
          data={[
            ...accounts.map(({ name }) => ({ value: name, label: name })),
            ...(meeting.account === null ? [] : [guest]),
          ]}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={action.isRunning}>
            {retryLabel}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function NoBotAccount({ meeting }: { meeting: ApiMeetingDetail }) {
  const isAdmin = useSignedInUser().role === 'admin'
  const platform = PLATFORM_LABELS[meeting.platform]
  return (
    <Stack gap="xs">
      <Text>There is no bot account for {platform} yet.</Text>
      {isAdmin ? (
        <TextLink to="/system" search={{ tab: 'bot-accounts' }}>
          Add one under System → Bot accounts
        </TextLink>
      ) : (
        <Text>Ask an administrator of Hansard to add one.</Text>
      )}
    </Stack>
  )
}

type RetryChanges = { account?: string | null; withoutCallbacks?: true }

/** Starts an ended meeting again, and opens the new one's page. */
function useRetryMeeting(meetingId: string): (changes: RetryChanges) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useReload('meetings', 'meeting')
  return async (changes) => {
    const started = await api.meetings.retry(meetingId, changes)
    void refresh()
    await navigate(meetingPage(started.meetingId))
  }
}

/** The bot accounts that can be used for a meeting. */
const useUsableBotAccounts = () =>
  useApiQuery(['usable-bot-accounts'], (api) => api.botAccounts.list())
