import { Card, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiCalendarAccount } from '../../src/http/shapes/calendar-accounts.ts'
import type { AccountProblem, CalendarProviderName } from '../../src/http/shapes/values.ts'
import { ProviderButton } from '../account/sign-in/provider-button.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { RowButton } from '../ui/tables/data-table.tsx'
import { StateBadge } from '../ui/text.tsx'

export const PROVIDER_LABELS: Record<CalendarProviderName, string> = {
  microsoft: 'Microsoft',
  google: 'Google',
}

/** Why an account was not connected, and what to do next. */
const PROBLEM_TEXTS: Record<AccountProblem, string> = {
  sign_in_expired:
    'Connecting took longer than ten minutes, was already finished, or was started in another browser. Try again.',
  refused: 'The account was not connected, because access was not given. Nothing has changed.',
  scope_missing:
    'Hansard needs the permission to read calendars. Connect the account again and leave all boxes checked.',
  other_account:
    'You signed in with another account. Try again and choose the account that you want to reconnect.',
  app_missing:
    'An administrator has changed the application meanwhile. Try again, or ask an administrator.',
  provider_failed:
    'The provider did not answer as expected. Try again in a minute. If it keeps happening, tell an administrator.',
  too_many: 'You have too many connected accounts. Remove one first.',
}

export function describeAccountProblem(problem: AccountProblem): string {
  return PROBLEM_TEXTS[problem]
}

/** Leaves the console for the provider’s page. It returns to this tab. */
export function ConnectButtons({ providers }: { providers: readonly CalendarProviderName[] }) {
  return (
    <Group gap="xs">
      {providers.map((provider) => (
        <ProviderButton
          key={provider}
          variant="default"
          start={(api) => api.calendarAccounts.create({ provider })}
        >
          {`Connect ${PROVIDER_LABELS[provider]}`}
        </ProviderButton>
      ))}
    </Group>
  )
}

export function ReconnectButton({ account }: { account: ApiCalendarAccount }) {
  const { id, provider } = account
  return (
    <ProviderButton
      variant="default"
      start={(api) => api.calendarAccounts.create({ provider, accountId: id })}
    >
      {`Reconnect ${PROVIDER_LABELS[provider]}`}
    </ProviderButton>
  )
}

interface CalendarAccountsProps {
  accounts: ApiCalendarAccount[]
  onAddCalendar: (account: ApiCalendarAccount) => void
}

/** The accounts whose calendars can be added without a secret address. */
export function CalendarAccounts({ accounts, onAddCalendar }: CalendarAccountsProps) {
  const [removed, setRemoved] = useState<ApiCalendarAccount | null>(null)
  if (accounts.length === 0) return null
  return (
    <Stack gap="sm">
      <SectionHeader
        title="Connected accounts"
        description="Hansard may read the calendars of these accounts. It cannot change anything in them."
      />
      <Stack component="ul" className="plain-list" gap="sm" aria-label="Connected accounts">
        {accounts.map((account) => (
          <Card key={account.id} component="li" withBorder padding="md">
            <Group justify="space-between">
              <Group gap="xs">
                <Text fw={600} className="break-anywhere">
                  <bdi>{account.address}</bdi>
                </Text>
                <Text size="sm">{PROVIDER_LABELS[account.provider]}</Text>
                <AccountState account={account} />
              </Group>
              <Group gap="xs">
                {account.state === 'ended' ? (
                  <ReconnectButton account={account} />
                ) : (
                  <RowButton
                    label="Add a calendar"
                    ariaLabel={`Add a calendar of ${account.address}`}
                    onClick={() => onAddCalendar(account)}
                  />
                )}
                <RowButton
                  label="Remove"
                  of={account.address}
                  onClick={() => setRemoved(account)}
                />
              </Group>
            </Group>
          </Card>
        ))}
      </Stack>
      {removed && <RemoveAccountDialog account={removed} onClose={() => setRemoved(null)} />}
    </Stack>
  )
}

function AccountState({ account: { state } }: { account: ApiCalendarAccount }) {
  return state === 'ended' ? (
    <StateBadge colour="red">Access has ended</StateBadge>
  ) : (
    <StateBadge colour="moss">Connected</StateBadge>
  )
}

interface RemoveAccountDialogProps {
  account: ApiCalendarAccount
  onClose: () => void
}

function RemoveAccountDialog({ account, onClose }: RemoveAccountDialogProps) {
  const { calendars } = account
  const what = calendars === 1 ? 'its calendar' : `its ${calendars} calendars`
  return (
    <ConfirmDialog
      title="Remove this account?"
      confirmLabel="Remove account"
      onClose={onClose}
      onConfirm={(api) => api.calendarAccounts.remove(account.id)}
      reloads={['calendar-accounts', 'calendars', 'upcoming']}
    >
      <span className="break-anywhere">
        Hansard deletes its access to <bdi>{account.address}</bdi>
        {calendars > 0 && ` and forgets ${what} with the rules, and no longer joins those meetings`}
        . Past meetings and their transcripts stay.
      </span>
    </ConfirmDialog>
  )
}
