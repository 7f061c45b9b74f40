import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { WireUserWithLiveTokenCount } from '../../src/http/shapes/account.ts'
import { useReloadTokensOrSessions } from '../account/queries.ts'
import { useApi } from '../api/app-state.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { useRefreshSystemQuery } from './queries.ts'

export function RemoveUserDialog({
  person,
  onClose,
}: {
  person: WireUserWithLiveTokenCount
  onClose: () => void
}) {
  const api = useApi()
  const refreshPeople = useRefreshSystemQuery('people')
  const refreshTokens = useReloadTokensOrSessions('tokens')
  const [revokesTokens, setRevokesTokens] = useState(true)
  const path = `/web/users/${encodeURIComponent(person.id)}${revokesTokens ? '?tokens=revoke' : ''}`
  const { name, email, liveTokens } = person
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove person"
      onClose={onClose}
      onConfirm={async () => {
        await api.delete(path)
        await Promise.all([refreshPeople(), refreshTokens()])
      }}
    >
      <strong>{name}</strong> ({email}) is signed out and can no longer sign in.{' '}
      {liveTokens === 0
        ? 'They have no active API tokens.'
        : `They have ${formatCountWithNoun(liveTokens, 'active API token')}.`}
      {liveTokens > 0 && (
        <Checkbox
          mt="md"
          label="Also revoke their API tokens"
          description="Programs that use them lose access immediately. Otherwise they keep working."
          checked={revokesTokens}
          onChange={(event) => setRevokesTokens(event.currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  )
}
