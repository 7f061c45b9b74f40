import { Button, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireToken } from '../../../src/http/shapes/account.ts'
import { SectionHeader } from '../../ui/layout/section-header.tsx'
import { QueryView } from '../../ui/feedback/query-view.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { useTokens } from '../queries.ts'
import { TokenTable } from './token-table.tsx'

export function TokensTab() {
  const query = useTokens()
  const [isMaking, setMaking] = useState(false)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="API tokens"
        about="A token is an API key, which your program sends, and a signing secret, with which it checks what Hansard sends."
      >
        <Button onClick={() => setMaking(true)}>New token</Button>
      </SectionHeader>
      <QueryView query={query} what="your tokens">
        {({ tokens }) => <TokenLists tokens={tokens} />}
      </QueryView>
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} />}
    </Stack>
  )
}

function TokenLists({ tokens }: { tokens: WireToken[] }) {
  const [showsRevoked, setShowsRevoked] = useState(false)
  const live = tokens.filter(({ revokedAt }) => revokedAt === null)
  const revoked = tokens.filter(({ revokedAt }) => revokedAt !== null)
  const shown = showsRevoked ? [...live, ...revoked] : live
  return (
    <>
      {live.length === 0 && <Text>No token yet. The first one takes ten seconds.</Text>}
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
