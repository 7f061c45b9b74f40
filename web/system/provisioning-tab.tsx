import { Button, Checkbox, Code, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ApiProvisioning } from '../../src/http/shapes/provisioning.ts'
import { useApiQuery } from '../api/use-api.tsx'
import { CopyField, CreatedLink } from '../ui/copy.tsx'
import { ConfirmDialog, Dialog, FormDialog } from '../ui/dialogs.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { TextField } from '../ui/fields.tsx'
import { Time } from '../ui/format/time.tsx'
import { readFormText, SettingsForm } from '../ui/forms.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { type Column, DataTable, RowButton } from '../ui/tables/data-table.tsx'
import { ProvisionedGroups } from './provisioned-groups.tsx'
import { REFRESH_MS } from './queries.ts'

type Token = ApiProvisioning['tokens'][number]

const COLUMNS: [Column<Token>, ...Column<Token>[]] = [
  { header: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  { header: 'Token', cell: ({ last4 }) => <Code className="one-line">{`…${last4}`}</Code> },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} show="day" /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} show="ago" />),
  },
]

/** The SCIM service of an identity provider: its switch, its tokens, and the roles of its groups. */
export function ProvisioningTab() {
  const query = useApiQuery(['provisioning', 'settings'], (api) => api.provisioning.list(), {
    refetchInterval: REFRESH_MS,
  })
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Provisioning"
        description="Microsoft Entra ID, Okta and other identity providers create, change and deactivate people here, and manage groups, over SCIM 2.0. docs/provisioning.md has all steps."
      />
      <QueryView query={query} label="provisioning">
        {(provisioning) => (
          <Stack gap="xl">
            <CopyField
              label="Address of the SCIM service"
              value={provisioning.url}
              what="address"
            />
            <Settings current={provisioning} />
            <Tokens tokens={provisioning.tokens} />
            <ProvisionedGroups />
          </Stack>
        )}
      </QueryView>
    </Stack>
  )
}

function Settings({ current }: { current: ApiProvisioning }) {
  return (
    <SettingsForm
      submitLabel="Save"
      reloads={['provisioning']}
      save={(api, values) =>
        api.provisioning.update({
          isOn: values.has('isOn'),
          revokesServiceTokens: values.has('revokesServiceTokens'),
        })
      }
    >
      <Switch
        name="isOn"
        label="Provisioning is on"
        description="While it is off, every request of the identity provider is refused, and people and groups stay as they are."
        defaultChecked={current.isOn}
      />
      <Checkbox
        name="revokesServiceTokens"
        label="Revoke the service tokens of a person who is deactivated"
        description="Otherwise programs that use a service token created by this person continue to work. Personal tokens always end."
        defaultChecked={current.revokesServiceTokens}
      />
    </SettingsForm>
  )
}

function Tokens({ tokens }: { tokens: Token[] }) {
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<Token | null>(null)
  const [created, setCreated] = useState<{ token: Token; secret: string } | null>(null)
  return (
    <Stack gap="md" component="section" aria-labelledby="provisioning-tokens">
      <Title order={3} id="provisioning-tokens">
        Tokens
      </Title>
      {tokens.length === 0 ? (
        <Text>No tokens yet. The identity provider needs one to sign in.</Text>
      ) : (
        <DataTable
          caption="Tokens for provisioning"
          rows={tokens}
          columns={COLUMNS}
          hasShortNames
          renderActions={(token) => (
            <RowButton
              label="Revoke"
              ariaLabel={`Revoke ${token.name}`}
              onClick={() => setRevoked(token)}
            />
          )}
        />
      )}
      <Button style={{ alignSelf: 'flex-start' }} onClick={() => setCreating(true)}>
        New token
      </Button>
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && <CreatedTokenDialog created={created} onClose={() => setCreated(null)} />}
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(null)} />}
    </Stack>
  )
}

interface NewTokenDialogProps {
  onClose: () => void
  onCreated: (answer: { token: Token; secret: string }) => void
}

function NewTokenDialog({ onClose, onCreated }: NewTokenDialogProps) {
  return (
    <FormDialog
      title="New token for provisioning"
      submitLabel="Create token"
      onSubmit={(api, values) => api.provisioning.tokens({ name: readFormText(values, 'name') })}
      reloads={['provisioning']}
      onClose={onClose}
      onSaved={onCreated}
    >
      <Text size="sm">
        With this token an identity provider changes and deactivates everyone’s account.
      </Text>
      <TextField
        name="name"
        label="Name"
        description="The identity provider that uses it, for example “Entra”"
        maxLength={100}
        hasAutofocus
      />
    </FormDialog>
  )
}

interface CreatedTokenDialogProps {
  created: { token: Token; secret: string }
  onClose: () => void
}

function CreatedTokenDialog({ created: { token, secret }, onClose }: CreatedTokenDialogProps) {
  return (
    <Dialog title={`Token “${token.name}” created`} isPersistent onClose={onClose}>
      <CreatedLink label="Token" link={secret} what="token" onDone={onClose}>
        <Text size="sm">
          It is shown only once. Enter it at the identity provider, as Secret Token or bearer token.
        </Text>
      </CreatedLink>
    </Dialog>
  )
}

function RevokeDialog({ token: { id, name }, onClose }: { token: Token; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Revoke “${name}”?`}
      confirmLabel="Revoke token"
      onClose={onClose}
      onConfirm={(api) => api.provisioning.removeToken(id)}
      reloads={['provisioning']}
    >
      The identity provider that uses the token <strong>{name}</strong> is refused immediately.
      People and groups stay as they are. This cannot be undone.
    </ConfirmDialog>
  )
}
