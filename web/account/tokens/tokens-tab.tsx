import { Stack, Button, Text, Checkbox, Group, Switch, Code } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { ApiListedToken, ApiTokens } from '../../../src/http/shapes/account.ts'
import { describeScopes, TOKEN_KIND_LABELS, ASSISTANT_ACCESS_LABELS } from '../account-labels.ts'
import { useApiTokens } from '../queries.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import {
  RotateSecretDialog,
  isOldSecretValid,
  isNextSecretPending,
} from './rotate-secret-dialog.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { QueryView } from '../../ui/feedback/feedback.tsx'
import { Time, useNowEvery30Seconds } from '../../ui/format/time.tsx'
import { SectionHeader } from '../../ui/layout.tsx'
import { type Column, DataTable, RowButton } from '../../ui/tables/data-table.tsx'
import { CopyField } from '../../ui/copy.tsx'

export function TokensTab() {
  const query = useApiTokens()
  const [isCreating, setCreating] = useState(false)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="API tokens"
        description="A token has an API key, which your program sends, and a signing secret, which your program uses to check callbacks from Hansard. A personal token has the same access as the person who created it and stops working when they are removed. A service token belongs to the whole instance."
      >
        <Button onClick={() => setCreating(true)}>New token</Button>
      </SectionHeader>
      <QueryView query={query} label="the tokens">
        {({ tokens }) => (
          <TokenLists tokens={tokens.filter(({ assistant }) => assistant === null)} />
        )}
      </QueryView>
      {query.data && <AssistantsSection list={query.data} />}
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
    </Stack>
  )
}

function TokenLists({ tokens }: { tokens: ApiListedToken[] }) {
  const [showsRevoked, setShowsRevoked] = useState(false)
  const live = tokens.filter(({ revokedAt }) => revokedAt === null)
  const revoked = tokens.filter(({ revokedAt }) => revokedAt !== null)
  const shown = showsRevoked ? [...live, ...revoked] : live
  return (
    <>
      {live.length === 0 && <Text>No tokens yet. Create one to use the API.</Text>}
      {shown.length > 0 && <TokenTable tokens={shown} />}
      {revoked.length > 0 && (
        <Switch
          label={`Show revoked tokens (${revoked.length})`}
          checked={showsRevoked}
          onChange={(event) => setShowsRevoked(event.currentTarget.checked)}
        />
      )}
    </>
  )
}

function RevokeTokenDialog({ token, onClose }: { token: ApiListedToken; onClose: () => void }) {
  const [stopsMeetings, setStopsMeetings] = useState(false)
  return (
    <ConfirmDialog
      title={`Revoke “${token.name}”?`}
      confirmLabel="Revoke token"
      onClose={onClose}
      onConfirm={(api) =>
        api.tokens.remove(token.id, { meetings: stopsMeetings ? 'stop' : undefined })
      }
      reloads={['tokens']}
    >
      Programs that use the token <strong>{token.name}</strong> ({token.keyPrefix}…{token.keyLast4})
      lose access immediately, and meetings that they scheduled are cancelled. This cannot be
      undone.
      <Checkbox
        mt="md"
        label="Also stop its meetings"
        description="Otherwise they continue, and their callbacks are signed with the token’s secret until they end."
        checked={stopsMeetings}
        onChange={(event) => setStopsMeetings(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  )
}

const COLUMNS: [Column<ApiListedToken>, ...Column<ApiListedToken>[]] = [
  { header: 'Name', cell: ({ name }) => name },
  {
    header: 'Key',
    cell: (token) => <Key token={token} />,
  },
  { header: 'Kind', cell: (token) => <KindCell token={token} />, priority: 'low' },
  { header: 'Permissions', cell: ({ scopes }) => describeScopes(scopes), priority: 'low' },
  { header: 'Created', cell: (token) => <CreatedCell token={token} />, priority: 'low' },
  { header: 'Last used', cell: (token) => <LastUsed token={token} />, priority: 'middle' },
  { header: 'Expires', cell: (token) => <ExpiresCell token={token} /> },
]

function TokenTable({ tokens }: { tokens: ApiListedToken[] }) {
  const [selected, setSelected] = useState<ApiListedToken | null>(null)
  const [rotating, setRotating] = useState<ApiListedToken | null>(null)
  return (
    <>
      <DataTable
        caption="API tokens"
        rows={tokens}
        columns={COLUMNS}
        hasShortNames
        rowMenu={({ id, name }) => ({ id, rowName: name, curlApiPath: '/token' })}
        isDimmed={({ revokedAt }) => revokedAt !== null}
        renderActions={(token) =>
          token.revokedAt === null && (
            <Group gap={4} justify="flex-end" wrap="nowrap">
              <RowButton
                label="Rotate"
                ariaLabel={`Rotate secret of ${token.name}`}
                onClick={() => setRotating(token)}
              />
              <RowButton label="Revoke" of={token.name} onClick={() => setSelected(token)} />
            </Group>
          )
        }
      />
      {rotating && <RotateSecretDialog opened={rotating} onClose={() => setRotating(null)} />}
      {selected && <RevokeTokenDialog token={selected} onClose={() => setSelected(null)} />}
    </>
  )
}

function Key({ token }: { token: ApiListedToken }) {
  const now = useNowEvery30Seconds()
  const { keyPrefix, keyLast4, nextSecretSince, oldSecretUntil } = token
  return (
    <>
      <Code className="one-line">{`${keyPrefix}…${keyLast4}`}</Code>
      {nextSecretSince && isNextSecretPending(token, now) && (
        <SecondaryText>
          next secret created <Time at={nextSecretSince} show="day" />
        </SecondaryText>
      )}
      {oldSecretUntil && isOldSecretValid(token, now) && (
        <SecondaryText>
          old secret expires <Time at={oldSecretUntil} show="relative" />
        </SecondaryText>
      )}
    </>
  )
}

function KindCell({ token: { kind, projects, isTeamOnly } }: { token: ApiListedToken }) {
  return (
    <>
      {TOKEN_KIND_LABELS[kind].short}
      {projects !== null && <SecondaryText>only {projects.join(', ')}</SecondaryText>}
      {isTeamOnly && <SecondaryText>only team projects</SecondaryText>}
    </>
  )
}

function CreatedCell({ token }: { token: ApiListedToken }) {
  return (
    <>
      <Time at={token.createdAt} show="day" />
      <SecondaryText>
        {token.createdBy === null ? 'on the command line' : `by ${token.createdBy}`}
      </SecondaryText>
    </>
  )
}

/** Assistants that people connected by the address of this instance. Admins see the assistants of all people. */
function AssistantsSection({ list }: { list: ApiTokens }) {
  const { tokens, assistantAddress } = list
  const connected = tokens.filter(
    ({ assistant, revokedAt }) => assistant !== null && revokedAt === null,
  )
  if (assistantAddress === null && connected.length === 0) return null
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Connected assistants"
        description="Assistants that you let use Hansard as you. Most need only the address: they then open a page here that asks what they may do."
      />
      {assistantAddress !== null && (
        <CopyField label="Address for assistants" value={assistantAddress} what="address" />
      )}
      {connected.length === 0 ? (
        <Text>No connected assistants.</Text>
      ) : (
        <AssistantTable tokens={connected} />
      )}
    </Stack>
  )
}

const ASSISTANT_COLUMNS: [Column<ApiListedToken>, ...Column<ApiListedToken>[]] = [
  { header: 'Name', cell: (token) => <NameCell token={token} /> },
  { header: 'It may', cell: (token) => <AccessCell token={token} />, priority: 'low' },
  { header: 'Connected', cell: (token) => <ConnectedCell token={token} />, priority: 'low' },
  { header: 'Last used', cell: (token) => <LastUsed token={token} />, priority: 'middle' },
  { header: 'Ends unless used', cell: (token) => <ExpiresCell token={token} /> },
]

function AssistantTable({ tokens }: { tokens: ApiListedToken[] }) {
  const [selected, setSelected] = useState<ApiListedToken | null>(null)
  return (
    <>
      <DataTable
        caption="Connected assistants"
        rows={tokens}
        columns={ASSISTANT_COLUMNS}
        hasShortNames
        renderActions={(token) => (
          <RowButton label="Disconnect" of={token.name} onClick={() => setSelected(token)} />
        )}
      />
      {selected && <DisconnectDialog token={selected} onClose={() => setSelected(null)} />}
    </>
  )
}

function NameCell({ token: { name, assistant } }: { token: ApiListedToken }) {
  return (
    <>
      {name}
      {assistant && (
        <SecondaryText>
          {assistant.isVerified ? `verified: ${assistant.host}` : `at ${assistant.host}`}
        </SecondaryText>
      )}
    </>
  )
}

function AccessCell({ token: { scopes, projects } }: { token: ApiListedToken }) {
  const access = scopes?.every((scope) => scope === 'read') ? 'read' : 'write'
  return (
    <>
      {ASSISTANT_ACCESS_LABELS[access].label}
      <SecondaryText>
        {projects === null ? 'all projects' : `only ${projects.join(', ')}`}
      </SecondaryText>
    </>
  )
}

function ConnectedCell({ token: { createdAt, createdBy } }: { token: ApiListedToken }) {
  return (
    <>
      <Time at={createdAt} show="day" />
      {createdBy !== null && <SecondaryText>by {createdBy}</SecondaryText>}
    </>
  )
}

function DisconnectDialog({ token, onClose }: { token: ApiListedToken; onClose: () => void }) {
  const [stopsMeetings, setStopsMeetings] = useState(false)
  return (
    <ConfirmDialog
      title={`Disconnect “${token.name}”?`}
      confirmLabel="Disconnect"
      onClose={onClose}
      onConfirm={(api) =>
        api.tokens.remove(token.id, { meetings: stopsMeetings ? 'stop' : undefined })
      }
      reloads={['tokens']}
    >
      <strong>{token.name}</strong> loses access immediately, and meetings that it scheduled are
      cancelled. It has to ask again to be connected.
      <Checkbox
        mt="md"
        label="Also stop its meetings"
        description="Otherwise they continue until they end."
        checked={stopsMeetings}
        onChange={(event) => setStopsMeetings(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  )
}

function LastUsed({ token }: { token: ApiListedToken }) {
  if (token.lastUsedAt === null) return 'never'
  return (
    <>
      <Time at={token.lastUsedAt} show="ago" />
      {token.lastUsedFrom && <SecondaryText>from {token.lastUsedFrom}</SecondaryText>}
    </>
  )
}

function ExpiresCell({ token }: { token: ApiListedToken }) {
  const now = useNowEvery30Seconds()
  if (token.revokedAt !== null) {
    return (
      <>
        revoked <Time at={token.revokedAt} show="day" />
      </>
    )
  }
  if (token.expiresAt === null) return 'never'
  const isExpired = Date.parse(token.expiresAt) <= now
  return (
    <>
      <Time at={token.expiresAt} show="day" />
      <SecondaryText>
        {isExpired ? 'expired' : <Time at={token.expiresAt} show="relative" />}
      </SecondaryText>
    </>
  )
}

function SecondaryText({ children }: { children: ReactNode }) {
  return (
    <Text component="div" size="sm" c="dimmed" className="break-anywhere">
      {children}
    </Text>
  )
}
