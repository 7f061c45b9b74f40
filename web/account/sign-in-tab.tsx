import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Stack, Text, Button, Alert } from '@mantine/core'
import type { ApiIdentity, ApiPasskey } from '../../src/http/shapes/sign-in-methods.ts'
import { useAppState } from '../api/use-api.tsx'
import { ConfirmDialog, FormDialog } from '../ui/dialogs.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { type Column, DataTable, RowButton } from '../ui/tables/data-table.tsx'
import { ProviderButton, describeSignInProblem } from './sign-in/provider-button.tsx'
import { useSignInMethods } from './queries.ts'
import { readFormText } from '../ui/forms.tsx'
import { describeDevice } from './describe-device.ts'
import { canUsePasskeys, createPasskey } from './passkey-browser.ts'
import type { ApiClient } from '../api/client.ts'
import { TextField } from '../ui/fields.tsx'

const route = getRouteApi('/signed-in/account')

const NO_PASSKEYS =
  'Passkeys are not available here: an administrator has turned them off, or this address has no HTTPS or no host name.'

/** The signed-in user's ways to sign in besides the password. */
export function SignInTab() {
  const query = useSignInMethods()
  const { provider, hasPasskeys } = useAppState().signIn
  const { problem } = route.useSearch()
  return (
    <Stack gap="xl">
      {problem && (
        <Alert color="red" variant="outline" role="alert" maw={640}>
          {describeSignInProblem(problem, provider)}
        </Alert>
      )}
      <QueryView query={query} label="your sign-in methods">
        {({ identities, passkeys }) => (
          <Stack gap="xl">
            {(hasPasskeys || passkeys.length > 0) && <PasskeySection passkeys={passkeys} />}
            {(provider !== null || identities.length > 0) && (
              <IdentitySection provider={provider} identities={identities} />
            )}
            {!hasPasskeys && <Text c="dimmed">{NO_PASSKEYS}</Text>}
          </Stack>
        )}
      </QueryView>
    </Stack>
  )
}

const IDENTITY_COLUMNS: [Column<ApiIdentity>, ...Column<ApiIdentity>[]] = [
  { header: 'Account', cell: ({ email }) => email ?? 'No email' },
  { header: 'Provider', cell: ({ issuer }) => <span className="break-anywhere">{issuer}</span> },
  { header: 'Linked', cell: ({ createdAt }) => <Time at={createdAt} show="day" /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} show="ago" /> : 'Never'),
  },
]

interface IdentitySectionProps {
  provider: string | null
  identities: ApiIdentity[]
}

function IdentitySection({ provider, identities }: IdentitySectionProps) {
  const [selected, setSelected] = useState<ApiIdentity | null>(null)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Linked accounts"
        description="Accounts at a sign-in provider that you can use to sign in here."
      >
        {provider !== null && (
          <ProviderButton start={(api) => api.identities.link()} variant="default">
            {`Link ${provider}`}
          </ProviderButton>
        )}
      </SectionHeader>
      {identities.length === 0 ? (
        <Text>No linked accounts.</Text>
      ) : (
        <DataTable
          caption="Linked accounts"
          rows={identities}
          columns={IDENTITY_COLUMNS}
          renderActions={(identity) => (
            <RowButton
              label="Unlink"
              of={identity.email ?? identity.issuer}
              onClick={() => setSelected(identity)}
            />
          )}
        />
      )}
      {selected && <UnlinkDialog identity={selected} onClose={() => setSelected(null)} />}
    </Stack>
  )
}

function UnlinkDialog({ identity, onClose }: { identity: ApiIdentity; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Unlink this account?"
      confirmLabel="Unlink account"
      onClose={onClose}
      onConfirm={(api) => api.identities.remove(identity.id)}
      reloads={['sign-in-methods']}
    >
      You can no longer sign in here with {identity.email ?? 'it'} at {identity.issuer}.
    </ConfirmDialog>
  )
}

const PASSKEY_COLUMNS: [Column<ApiPasskey>, ...Column<ApiPasskey>[]] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} show="day" /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} show="ago" /> : 'Never'),
  },
]

function PasskeySection({ passkeys }: { passkeys: ApiPasskey[] }) {
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
          columns={PASSKEY_COLUMNS}
          renderActions={(passkey) => (
            <RowButton label="Remove" of={passkey.name} onClick={() => setSelected(passkey)} />
          )}
        />
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
      {selected && <RemovePasskeyDialog passkey={selected} onClose={() => setSelected(null)} />}
    </Stack>
  )
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const submit = async (api: ApiClient, values: FormData) => {
    const name = readFormText(values, 'name')
    const { options } = await api.passkeys.options()
    await api.passkeys.create({ name, response: await createPasskey(options) })
  }
  return (
    <FormDialog
      title="Add a passkey"
      submitLabel="Continue"
      onSubmit={submit}
      reloads={['sign-in-methods']}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        description="Helps you recognise it later, for example the name of the device."
        maxLength={100}
        defaultValue={describeDevice(navigator.userAgent)}
        hasAutofocus
      />
    </FormDialog>
  )
}

function RemovePasskeyDialog({ passkey, onClose }: { passkey: ApiPasskey; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Remove ${passkey.name}?`}
      confirmLabel="Remove passkey"
      onClose={onClose}
      onConfirm={(api) => api.passkeys.remove(passkey.id)}
      reloads={['sign-in-methods']}
    >
      You can no longer sign in with this passkey. Also delete it on your device or in your password
      manager.
    </ConfirmDialog>
  )
}
