import { Button, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireToken } from '../../../src/http/shapes/account.ts'
import { SectionHeader } from '../../ui/layout/section-header.tsx'
import { QueryView } from '../../ui/feedback/query-view.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { useApiTokens } from '../queries.ts'
import { TokenTable } from './token-table.tsx'

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
        {({ tokens }) => <TokenLists tokens={tokens} />}
      </QueryView>
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
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
