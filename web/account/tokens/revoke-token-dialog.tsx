import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { WireToken } from '../../../src/http/shapes/account.ts'
import { useApi } from '../../api/app-state.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useReloadTokensOrSessions } from '../queries.ts'

export function RevokeTokenDialog({ token, onClose }: { token: WireToken; onClose: () => void }) {
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
