import { Button, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireExaminedAccount } from '../../src/http/shapes/bot-accounts.ts'
import { useApi } from '../app-state.tsx'
import { PLATFORMS } from '../meetings/words.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { RowButton } from '../ui/row-button.tsx'
import { SavedNote } from '../ui/saved-note.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { Time } from '../ui/time.tsx'
import { BotAccountDialog } from './bot-account-dialog.tsx'
import { useBotAccounts, useRefresh } from './queries.ts'

type Row = WireExaminedAccount & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'Platform', cell: ({ platform }) => PLATFORMS[platform] },
  {
    head: 'State',
    cell: ({ ok, detail }) => (
      <Text size="sm" className="break-anywhere">
        {ok ? '' : <b>Needs you: </b>}
        {detail}
      </Text>
    ),
  },
  { head: 'In use', cell: ({ inUse, limit }) => `${inUse} of ${limit}` },
  {
    head: 'Last used',
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
      <SectionHead
        title="Bot accounts"
        about="Somebody signed in whom bots may come as, where a meeting lets no guests in. What is kept of them is sealed and never shown."
      >
        <Button onClick={() => setAdding(true)}>Add</Button>
      </SectionHead>
      <SavedNote>{note}</SavedNote>
      <Loaded query={query} what="the bot accounts">
        {({ botAccounts }) =>
          botAccounts.length > 0 ? <AccountTable accounts={botAccounts} /> : <Nobody />
        }
      </Loaded>
      {isAdding && <BotAccountDialog onClose={() => setAdding(false)} onAdded={setNote} />}
    </Stack>
  )
}

function Nobody() {
  return (
    <Text>
      None yet: bots come as guests. To sign one in, run{' '}
      <Code>node bin/hansard.mjs account add NAME --platform google_meet</Code> in the installation,
      on a machine with a screen, or bring the file of a browser that is signed in.
    </Text>
  )
}

function AccountTable({ accounts }: { accounts: WireExaminedAccount[] }) {
  const api = useApi()
  const refresh = useRefresh('bot-accounts')
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
