import { useState } from 'react'
import { Text, Stack, Button, NativeSelect, Code } from '@mantine/core'
import type {
  ApiCheckedBotAccount,
  ApiAddedBotAccount,
} from '../../src/http/shapes/bot-accounts.ts'
import { FormDialog, ConfirmDialog } from '../ui/dialogs.tsx'
import { ACCOUNT_PLATFORMS } from '../../src/http/shapes/values.ts'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { REFRESH_MS } from './queries.ts'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { readFormText } from '../ui/forms.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { type Column, DataTable, RowButton } from '../ui/tables/data-table.tsx'
import type { ApiClient } from '../api/client.ts'
import { TextField, toOptions, FileField } from '../ui/fields.tsx'
import { useApiQuery } from '../api/use-api.tsx'

type Row = ApiCheckedBotAccount & { id: string }

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
  const query = useApiQuery(['bot-accounts'], (api) => api.system.botAccounts(), {
    refetchInterval: REFRESH_MS,
  })
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

function AccountTable({ accounts }: { accounts: ApiCheckedBotAccount[] }) {
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <>
      <DataTable
        caption="Bot accounts"
        rows={accounts.map((account) => ({ ...account, id: account.name }))}
        columns={COLUMNS}
        renderActions={({ name }) => (
          <RowButton label="Remove" of={name} onClick={() => setSelected(name)} />
        )}
        rowMenu={({ name }) => ({ rowName: name, id: name, curlApiPath: '/bot-accounts' })}
      />
      {selected !== null && (
        <ConfirmDialog
          title={`Remove bot account ${selected}?`}
          confirmLabel="Remove account"
          onClose={() => setSelected(null)}
          onConfirm={(api) => api.system.removeBotAccount(selected)}
          reloads={['bot-accounts']}
        >
          Hansard deletes the stored sign-in of <strong>{selected}</strong>. Bots cannot use this
          account until it is added again.
        </ConfirmDialog>
      )}
    </>
  )
}

interface BotAccountDialogProps {
  onClose: () => void
  onAdded: (note: string) => void
}

/** Imports the cookies of a signed-in browser. A new sign-in needs a screen and is done on the command line. */
function AddBotAccountDialog({ onClose, onAdded }: BotAccountDialogProps) {
  const [file, setFile] = useState<File | null>(null)
  const submit = async (api: ApiClient, values: FormData) => {
    const name = readFormText(values, 'name')
    const limit = readFormText(values, 'limit')
    const added = await api.system.addBotAccount({
      name,
      platform: readFormText(values, 'platform') as (typeof ACCOUNT_PLATFORMS)[number],
      state: (await file?.text()) ?? '',
      ...(limit && { limit: Number(limit) }),
    })
    return addedMessage(name, added)
  }
  return (
    <FormDialog
      title="Add bot account"
      submitLabel="Add account"
      isDisabled={file === null}
      onSubmit={submit}
      reloads={['bot-accounts']}
      onClose={onClose}
      onSaved={onAdded}
    >
      <Text size="sm">
        Upload a Playwright storage state: the cookies of a browser in which the account is signed
        in. Only the platform’s cookies are stored, encrypted.
      </Text>
      <TextField
        name="name"
        label="Name"
        description="If an account with this name exists, its sign-in is replaced"
        maxLength={64}
        hasAutofocus
        autoComplete="on"
      />
      <NativeSelect
        name="platform"
        label="Platform"
        data={toOptions(PLATFORM_LABELS, ACCOUNT_PLATFORMS)}
      />
      <TextField
        name="limit"
        label="Concurrent bots"
        description="Default: 1, or the current value"
        isOptional
        autoComplete="on"
      />
      <FileField
        name="state"
        label="Storage state"
        accept="application/json,.json"
        onChange={setFile}
      />
    </FormDialog>
  )
}

function addedMessage(name: string, { isNew, isSignedIn }: ApiAddedBotAccount): string {
  const done = `${isNew ? 'Added' : 'Updated'} ${name}`
  return isSignedIn
    ? done
    : `${done}. It may not be signed in: no sign-in cookie was found. Try it in a meeting.`
}
