import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiListedToken, ApiTokens } from '../../../src/http/shapes/account.ts'
import { useApi } from '../../api/app-state.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { Time } from '../../ui/format/time.tsx'
import { SectionHeader } from '../../ui/layout/headings.tsx'
import { DataTable, RowButton, type Column } from '../../ui/tables/data-table.tsx'
import { ASSISTANT_ACCESS_LABELS } from '../account-labels.ts'
import { useReloadTokensOrSessions } from '../queries.ts'
import { ExpiresCell, LastUsed, SecondaryText } from '../tokens/token-cells.tsx'

/** Assistants that people connected by the address of this instance. Admins see the assistants of all people. */
export function AssistantsSection({ list }: { list: ApiTokens }) {
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

const COLUMNS: [Column<ApiListedToken>, ...Column<ApiListedToken>[]] = [
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
        columns={COLUMNS}
        hasShortNames
        renderActions={(token) => (
          <RowButton
            label="Disconnect"
            ariaLabel={`Disconnect ${token.name}`}
            onClick={() => setSelected(token)}
          />
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
  const api = useApi()
  const refresh = useReloadTokensOrSessions('tokens')
  const [stopsMeetings, setStopsMeetings] = useState(false)
  return (
    <ConfirmDialog
      title={`Disconnect “${token.name}”?`}
      confirmLabel="Disconnect"
      onClose={onClose}
      onConfirm={async () => {
        await api.tokens.remove(token.id, { meetings: stopsMeetings ? 'stop' : undefined })
        await refresh()
      }}
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
