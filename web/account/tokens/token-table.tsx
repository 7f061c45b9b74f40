import { Code, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { WireToken } from '../../../src/http/shapes/account.ts'
import { DataTable, type Column } from '../../ui/tables/data-table.tsx'
import { RowButton } from '../../ui/tables/row-button.tsx'
import { Time, useNowEvery30Seconds } from '../../ui/format/time.tsx'
import { RevokeTokenDialog } from './revoke-token-dialog.tsx'
import { RotateSecretDialog } from './rotate-secret-dialog.tsx'
import { isOldSecretValid, isNextSecretPending } from './rotation-state.ts'
import { describeScopes, TOKEN_KIND_LABELS } from '../account-labels.ts'

const COLUMNS: [Column<WireToken>, ...Column<WireToken>[]] = [
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

export function TokenTable({ tokens }: { tokens: WireToken[] }) {
  const [selected, setSelected] = useState<WireToken | null>(null)
  const [rotating, setRotating] = useState<WireToken | null>(null)
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

function Key({ token }: { token: WireToken }) {
  const now = useNowEvery30Seconds()
  const { keyPrefix, keyLast4, nextSecretSince, oldSecretUntil } = token
  return (
    <>
      <Code className="one-line">{`${keyPrefix}…${keyLast4}`}</Code>
      {nextSecretSince && isNextSecretPending(token, now) && (
        <SecondaryText>
          next secret created <Time at={nextSecretSince} show="ago" />
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

function KindCell({ token: { kind, projects, isTeamOnly } }: { token: WireToken }) {
  return (
    <>
      {TOKEN_KIND_LABELS[kind].short}
      {projects !== null && <SecondaryText>only {projects.join(', ')}</SecondaryText>}
      {isTeamOnly && <SecondaryText>only team projects</SecondaryText>}
    </>
  )
}

function CreatedCell({ token }: { token: WireToken }) {
  return (
    <>
      <Time at={token.createdAt} show="day" />
      <SecondaryText>
        {token.createdBy === null ? 'on the command line' : `by ${token.createdBy}`}
      </SecondaryText>
    </>
  )
}

function LastUsed({ token }: { token: WireToken }) {
  if (token.lastUsedAt === null) return 'never'
  return (
    <>
      <Time at={token.lastUsedAt} show="ago" />
      {token.lastUsedFrom && <SecondaryText>from {token.lastUsedFrom}</SecondaryText>}
    </>
  )
}

function ExpiresCell({ token }: { token: WireToken }) {
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
