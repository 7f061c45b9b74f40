import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ApiListedToken } from '../../../src/http/shapes/account.ts'
import { Time, useNowEvery30Seconds } from '../../ui/format/time.tsx'

export function LastUsed({ token }: { token: ApiListedToken }) {
  if (token.lastUsedAt === null) return 'never'
  return (
    <>
      <Time at={token.lastUsedAt} show="ago" />
      {token.lastUsedFrom && <SecondaryText>from {token.lastUsedFrom}</SecondaryText>}
    </>
  )
}

export function ExpiresCell({ token }: { token: ApiListedToken }) {
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

export function SecondaryText({ children }: { children: ReactNode }) {
  return (
    <Text component="div" size="sm" c="dimmed" className="break-anywhere">
      {children}
    </Text>
  )
}
