import { Button, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireCheckedBotAccount } from '../../src/http/shapes/bot-accounts.ts'
import { ACCOUNT_PLATFORMS } from '../../src/http/shapes/values.ts'
import { useApi } from '../api/app-state.tsx'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { StatusMessage } from '../ui/feedback/status-message.tsx'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { Time } from '../ui/format/time.tsx'
import { AddBotAccountDialog } from './bot-account-dialog.tsx'
import { useBotAccounts, useRefreshSystemQuery } from './queries.ts'

type Row = WireCheckedBotAccount & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Platform', cell: ({ platform }) => PLATFORM_LABELS[platform], isShort: true },
  {
    header: 'Status',
    cell: ({ ok, detail }) => (
      <Text size="sm" className="break-anywhere">
        {ok ? '' : <b>Needs attention: </b>}
        <AccountCheck detail={detail} />
      </Text>
    ),
  },
  { header: 'In use', cell: ({ inUse, limit }) => `${inUse} of ${limit}`, isShort: true },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} show="ago" />),
  },
]

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/

/** The check's result as a sentence. The service writes times in a machine-readable form, which this replaces. */
function AccountCheck({ detail }: { detail: string }) {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1)
  const [time] = INSTANT.exec(sentence) ?? []
  if (time === undefined) return sentence
  const [before, after] = sentence.split(time)
  return (
    <>
      {before}
      <Time at={time} show="minute" />
      {after}
    </>
  )
}

export function BotAccountsTab() {
  const query = useBotAccounts()
  const [isAdding, setAdding] = useState(false)
  const [note, setNote] = useState('')
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Bot accounts"
        description="Signed-in accounts that bots use to join meetings that do not allow guests. Their cookies are stored encrypted and never shown."
      >
        <Button onClick={() => setAdding(true)}>Add account</Button>
      </SectionHeader>
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the bot accounts">
        {({ botAccounts }) =>
          botAccounts.length > 0 ? <AccountTable accounts={botAccounts} /> : <NoBotAccounts />
        }
      </QueryView>
      {isAdding && <AddBotAccountDialog onClose={() => setAdding(false)} onAdded={setNote} />}
    </Stack>
  )
}

function NoBotAccounts() {
  return (
    <Text>
      No bot accounts yet. Bots join as guests. To add an account, run{' '}
      <Code>node bin/hansard.mjs account add NAME --platform {ACCOUNT_PLATFORMS[0]}</Code> in the
      installation folder on a machine with a screen, or upload the storage state of a signed-in
      browser.
    </Text>
  )
}

function AccountTable({ accounts }: { accounts: WireCheckedBotAccount[] }) {
  const api = useApi()
  const refresh = useRefreshSystemQuery('botAccounts')
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <>
      <DataTable
        caption="Bot accounts"
        rows={accounts.map((account) => ({ ...account, id: account.name }))}
        columns={COLUMNS}
        renderActions={({ name }) => (
          <RowButton
            label="Remove"
            ariaLabel={`Remove ${name}`}
            onClick={() => setSelected(name)}
          />
        )}
        rowMenu={({ name }) => ({ rowName: name, id: name, curlApiPath: '/bot-accounts' })}
      />
      {selected !== null && (
        <ConfirmDialog
          title={`Remove bot account ${selected}?`}
          confirmLabel="Remove account"
          onClose={() => setSelected(null)}
          onConfirm={async () => {
            await api.system.removeBotAccount(selected)
            await refresh()
          }}
        >
          Hansard deletes the stored sign-in of <strong>{selected}</strong>. Bots cannot use this
          account until it is added again.
        </ConfirmDialog>
      )}
    </>
  )
}
