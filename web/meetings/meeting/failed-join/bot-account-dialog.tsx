import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { WireBotAccounts } from '../../../../src/http/shapes/bot-accounts.ts'
import { useSignedInUser } from '../../../api/app-state.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { QueryView } from '../../../ui/feedback/query-view.tsx'
import { Form, readFormText } from '../../../ui/forms/form.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'
import { TextLink } from '../../../ui/links.tsx'
import { PLATFORM_LABELS } from '../../meeting-labels.ts'
import { useUsableBotAccounts, type RetryChanges } from './use-retry-meeting.ts'

interface BotAccountDialogProps {
  meeting: WireMeetingDetail
  retry: (changes: RetryChanges) => Promise<void>
  /** Text of the button that tries again. */
  retryLabel: string
  onClose: () => void
}

/** Chooses the bot account for another attempt. A guest is offered only if the meeting had an account before. */
export function BotAccountDialog(props: BotAccountDialogProps) {
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

export function botAccountButtonLabel({ account }: WireMeetingDetail): string {
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
}: BotAccountDialogProps & { accounts: WireBotAccounts['botAccounts'] }) {
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

function NoBotAccount({ meeting }: { meeting: WireMeetingDetail }) {
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
