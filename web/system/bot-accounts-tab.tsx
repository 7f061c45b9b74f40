import { Button, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireCheckedBotAccount } from '../../src/http/shapes/bot-accounts.ts'
import { useApi } from '../api/app-state.tsx'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { StatusMessage } from '../ui/feedback/status-message.tsx'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { Time } from '../ui/format/time.tsx'
import { BotAccountDialog } from './bot-account-dialog.tsx'
import { useBotAccounts, useRefreshSystem } from './queries.ts'

type Row = WireCheckedBotAccount & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Platform', cell: ({ platform }) => PLATFORM_LABELS[platform] },
  {
    header: 'State',
    cell: ({ ok, detail }) => (
      <Text size="sm" className="break-anywhere">
        {ok ? '' : <b>Needs you: </b>}
        {detail}
      </Text>
    ),
  },
  { header: 'In use', cell: ({ inUse, limit }) => `${inUse} of ${limit}` },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? 'never' : <Time at={lastUsedAt} show="distance" />,
  },
]

export function BotAccountsTab() {
  const query = useBotAccounts()
  const [isAdding, setAdding] = useState(false)
  const [note, setNote] = useState('')
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Bot accounts"
        about="Somebody signed in whom bots may come as, where a meeting lets no guests in. What is kept of them is sealed and never shown."
      >
        <Button onClick={() => setAdding(true)}>Add</Button>
      </SectionHeader>
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} what="the bot accounts">
        {({ botAccounts }) =>
          botAccounts.length > 0 ? <AccountTable accounts={botAccounts} /> : <NoBotAccounts />
        }
      </QueryView>
      {isAdding && <BotAccountDialog onClose={() => setAdding(false)} onAdded={setNote} />}
    </Stack>
  )
}

function NoBotAccounts() {
  return (
    <Text>
      None yet: bots come as guests. To sign one in, run{' '}
      <Code>node bin/hansard.mjs account add NAME --platform google_meet</Code> in the installation,
      on a machine with a screen, or bring the file of a browser that is signed in.
    </Text>
  )
}

function AccountTable({ accounts }: { accounts: WireCheckedBotAccount[] }) {
  const api = useApi()
  const refresh = useRefreshSystem('bot-accounts')
  const [victim, setVictim] = useState<string | null>(null)
  return (
    <>
      <DataTable
        caption="Bot accounts"
        rows={accounts.map((account) => ({ ...account, id: account.name }))}
        columns={COLUMNS}
        renderActions={({ name }) => (
          <RowButton label="Remove" name={`Remove ${name}`} onClick={() => setVictim(name)} />
        )}
        menuOf={({ name }) => ({ name, id: name, path: '/bot-accounts' })}
      />
      {victim !== null && (
        <ConfirmDialog
          title={`Remove the bot account ${victim}?`}
          confirmLabel="Remove account"
          onClose={() => setVictim(null)}
          onConfirm={async () => {
            await api.delete(`/web/system/bot-accounts/${encodeURIComponent(victim)}`)
            await refresh()
          }}
        >
          Hansard forgets how <strong>{victim}</strong> is signed in. Bots can no longer come as
          this account until somebody signs it in again.
        </ConfirmDialog>
      )}
    </>
  )
}
