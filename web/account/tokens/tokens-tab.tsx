import { Button, Stack, Switch, Text, Checkbox, Code, Group } from '@mantine/core'
import { useState } from 'react'
import type { ApiListedToken } from '../../../src/http/shapes/account.ts'
import { describeScopes, TOKEN_KIND_LABELS } from '../account-labels.ts'
import { useApiTokens, useReloadTokensOrSessions } from '../queries.ts'
import { AssistantsSection } from '../assistants/assistants-section.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import {
  RotateSecretDialog,
  isOldSecretValid,
  isNextSecretPending,
} from './rotate-secret-dialog.tsx'
import { useApi } from '../../api/app-state.tsx'
import { ExpiresCell, LastUsed, SecondaryText } from './token-cells.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { QueryView } from '../../ui/feedback/feedback.tsx'
import { Time, useNowEvery30Seconds } from '../../ui/format/time.tsx'
import { SectionHeader } from '../../ui/layout/headings.tsx'
import { DataTable, RowButton, type Column } from '../../ui/tables/data-table.tsx'

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
  const api = useApi()
  const refresh = useReloadTokensOrSessions('tokens')
  const [stopsMeetings, setStopsMeetings] = useState(false)
  return (
    <ConfirmDialog
      title={`Revoke “${token.name}”?`}
      confirmLabel="Revoke token"
      onClose={onClose}
      onConfirm={async () => {
        await api.tokens.remove(token.id, { meetings: stopsMeetings ? 'stop' : undefined })
        await refresh()
      }}
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
              <RowButton
                label="Revoke"
                ariaLabel={`Revoke ${token.name}`}
                onClick={() => setSelected(token)}
              />
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
