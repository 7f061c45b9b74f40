import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import type { ApiPasskey } from '../../src/http/shapes/sign-in-methods.ts'
import { useApi } from '../api/app-state.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { Time } from '../ui/format/time.tsx'
import { TextField, readFormText } from '../ui/forms/form.tsx'
import { SectionHeader } from '../ui/layout/headings.tsx'
import { DataTable, RowButton, type Column } from '../ui/tables/data-table.tsx'
import { describeDevice } from './describe-device.ts'
import { canUsePasskeys, createPasskey } from './passkey-browser.ts'
import { useReloadSignInMethods } from './queries.ts'

const COLUMNS: [Column<ApiPasskey>, ...Column<ApiPasskey>[]] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} show="day" /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} show="ago" /> : 'Never'),
  },
]

export function PasskeySection({ passkeys }: { passkeys: ApiPasskey[] }) {
  const [isAdding, setAdding] = useState(false)
  const [selected, setSelected] = useState<ApiPasskey | null>(null)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Passkeys"
        description="Sign in without a password, with your fingerprint, face, screen lock or security key."
      >
        {canUsePasskeys() && (
          <Button variant="default" onClick={() => setAdding(true)}>
            Add passkey
          </Button>
        )}
      </SectionHeader>
      {passkeys.length === 0 ? (
        <Text>No passkeys.</Text>
      ) : (
        <DataTable
          caption="Passkeys"
          rows={passkeys}
          columns={COLUMNS}
          renderActions={(passkey) => (
            <RowButton
              label="Remove"
              ariaLabel={`Remove ${passkey.name}`}
              onClick={() => setSelected(passkey)}
            />
          )}
        />
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
      {selected && <RemovePasskeyDialog passkey={selected} onClose={() => setSelected(null)} />}
    </Stack>
  )
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const api = useApi()
  const reload = useReloadSignInMethods()
  const submit = async (values: FormData) => {
    const name = readFormText(values, 'name')
    const { options } = await api.passkeys.options()
    await api.passkeys.create({ name, response: await createPasskey(options) })
    await reload()
    onClose()
  }
  return (
    <FormDialog title="Add a passkey" submitLabel="Continue" onSubmit={submit} onClose={onClose}>
      <TextField
        name="name"
        label="Name"
        description="Helps you recognise it later, for example the name of the device."
        autoComplete="off"
        maxLength={100}
        defaultValue={describeDevice(navigator.userAgent)}
        hasAutofocus
      />
    </FormDialog>
  )
}

function RemovePasskeyDialog({ passkey, onClose }: { passkey: ApiPasskey; onClose: () => void }) {
  const api = useApi()
  const reload = useReloadSignInMethods()
  return (
    <ConfirmDialog
      title={`Remove ${passkey.name}?`}
      confirmLabel="Remove passkey"
      onClose={onClose}
      onConfirm={async () => {
        await api.passkeys.remove(passkey.id)
        await reload()
      }}
    >
      You can no longer sign in with this passkey. Also delete it on your device or in your password
      manager.
    </ConfirmDialog>
  )
}
