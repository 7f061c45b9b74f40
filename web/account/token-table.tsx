import { Code, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { WireToken } from '../../src/http/shapes/account.ts'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { RowButton } from '../ui/row-button.tsx'
import { Time, useNow } from '../ui/time.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { isOldSecretValid, isSecretPending } from './rotation.ts'
import { describeScopes } from './words.ts'

const COLUMNS: [Column<WireToken>, ...Column<WireToken>[]] = [
  { head: 'Name', cell: ({ name }) => name },
  {
    head: 'Key',
    cell: (token) => <Key token={token} />,
  },
  { head: 'May', cell: ({ scopes }) => describeScopes(scopes) },
  { head: 'Made', cell: (token) => <Made token={token} /> },
  { head: 'Last used', cell: (token) => <LastUsed token={token} /> },
  { head: 'Ends', cell: (token) => <Ends token={token} /> },
]

export function TokenTable({ tokens }: { tokens: WireToken[] }) {
  const [victim, setVictim] = useState<WireToken | null>(null)
  const [rotating, setRotating] = useState<WireToken | null>(null)
  return (
    <>
      <DataTable
        caption="Your API tokens"
        rows={tokens}
        columns={COLUMNS}
        menuOf={({ id, name }) => ({ id, name, path: '/token' })}
        isFaded={({ revokedAt }) => revokedAt !== null}
        renderActions={(token) =>
          token.revokedAt === null && (
            <Group gap="xs" justify="flex-end">
              <RowButton
                label="Rotate"
                name={`Rotate signing secret of ${token.name}`}
                onClick={() => setRotating(token)}
              />
              <RowButton
                label="Revoke"
                name={`Revoke ${token.name}`}
                onClick={() => setVictim(token)}
              />
            </Group>
          )
        }
      />
      {rotating && <RotateDialog opened={rotating} onClose={() => setRotating(null)} />}
      {victim && <RevokeDialog token={victim} onClose={() => setVictim(null)} />}
    </>
  )
}

function Key({ token }: { token: WireToken }) {
  const now = useNow()
  const { keyPrefix, keyLast4, nextSecretSince, oldSecretUntil } = token
  return (
    <>
      <Code className="one-line">{`${keyPrefix}…${keyLast4}`}</Code>
      {nextSecretSince && isSecretPending(token, now) && (
        <Second>
          next secret made <Time at={nextSecretSince} show="distance" />
        </Second>
      )}
      {oldSecretUntil && isOldSecretValid(token, now) && (
        <Second>
          old secret ends <Time at={oldSecretUntil} show="distance" />
        </Second>
      )}
    </>
  )
}

function Made({ token }: { token: WireToken }) {
  return (
    <>
      <Time at={token.createdAt} show="day" />
      <Second>{token.createdBy === null ? 'on the command line' : `by ${token.createdBy}`}</Second>
    </>
  )
}

function LastUsed({ token }: { token: WireToken }) {
  if (token.lastUsedAt === null) return 'never'
  return (
    <>
      <Time at={token.lastUsedAt} show="distance" />
      {token.lastUsedFrom && <Second>from {token.lastUsedFrom}</Second>}
    </>
  )
}

function Ends({ token }: { token: WireToken }) {
  const now = useNow()
  if (token.revokedAt !== null) {
    return (
      <>
        revoked <Time at={token.revokedAt} show="day" />
      </>
    )
  }
  if (token.expiresAt === null) return 'never'
  const isOver = Date.parse(token.expiresAt) <= now
  return (
    <>
      <Time at={token.expiresAt} show="day" />
      <Second>{isOver ? 'expired' : <Time at={token.expiresAt} show="distance" />}</Second>
    </>
  )
}

function Second({ children }: { children: ReactNode }) {
  return (
    <Text component="div" size="sm" c="dimmed" className="break-anywhere">
      {children}
    </Text>
  )
}
