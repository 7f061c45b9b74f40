import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { WirePerson } from '../../src/http/shapes/account.ts'
import { useRefresh as useRefreshAccount } from '../account/queries.ts'
import { useApi } from '../app-state.tsx'
import { counted } from '../meetings/words.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useRefresh } from './queries.ts'

export function RemoveDialog({ person, onClose }: { person: WirePerson; onClose: () => void }) {
  const api = useApi()
  const refreshPeople = useRefresh('people')
  const refreshTokens = useRefreshAccount('tokens')
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
      <strong>{name}</strong> ({email}) can no longer sign in and all of their sessions end.{' '}
      {liveTokens === 0
        ? 'They made no API token that still works.'
        : `They made ${counted(liveTokens, 'API token that still works', 'API tokens that still work')}.`}
      {liveTokens > 0 && (
        <Checkbox
          mt="md"
          label="Revoke the API tokens they made too"
          description="Programs that use them are turned away at once. Otherwise they go on working."
          checked={revokesTokens}
          onChange={(event) => setRevokesTokens(event.currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  )
}
