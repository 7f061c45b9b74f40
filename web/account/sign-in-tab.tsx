import { Alert, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiIdentity } from '../../src/http/shapes/sign-in-methods.ts'
import { useApi, useAppState } from '../api/app-state.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { SectionHeader } from '../ui/layout/headings.tsx'
import { DataTable, RowButton, type Column } from '../ui/tables/data-table.tsx'
import { ProviderButton } from './sign-in/provider-button.tsx'
import { describeSignInProblem } from './sign-in/sign-in-problem-texts.ts'
import { PasskeySection } from './passkey-section.tsx'
import { useReloadSignInMethods, useSignInMethods } from './queries.ts'

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

const COLUMNS: [Column<ApiIdentity>, ...Column<ApiIdentity>[]] = [
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
          columns={COLUMNS}
          renderActions={(identity) => (
            <RowButton
              label="Unlink"
              ariaLabel={`Unlink ${identity.email ?? identity.issuer}`}
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
  const api = useApi()
  const reload = useReloadSignInMethods()
  return (
    <ConfirmDialog
      title="Unlink this account?"
      confirmLabel="Unlink account"
      onClose={onClose}
      onConfirm={async () => {
        await api.identities.remove(identity.id)
        await reload()
      }}
    >
      You can no longer sign in here with {identity.email ?? 'it'} at {identity.issuer}.
    </ConfirmDialog>
  )
}
