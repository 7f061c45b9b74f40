import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiUserWithLiveTokenCount } from '../../src/http/shapes/account.ts'
import { useReloadTokensOrSessions } from '../account/queries.ts'
import { ApiError } from '../api/api-error.ts'
import { useApi } from '../api/app-state.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { usePeople, useRefreshSystemQuery } from './queries.ts'

interface RemoveUserDialogProps {
  person: ApiUserWithLiveTokenCount
  onClose: () => void
}

/** Removes a person. If they are the only owner of private projects, it asks for a new owner and tries again. */
export function RemoveUserDialog({ person, onClose }: RemoveUserDialogProps) {
  const api = useApi()
  const refreshPeople = useRefreshSystemQuery('people')
  const refreshProjects = useRefreshSystemQuery('projects')
  const refreshTokens = useReloadTokensOrSessions('tokens')
  const [revokesTokens, setRevokesTokens] = useState(true)
  const [needsOwner, setNeedsOwner] = useState(false)
  const [newOwner, setNewOwner] = useState('')
  const { name, email, liveTokens, liveServiceTokens } = person
  const remove = async () => {
    try {
      await api.users.remove(person.id, {
        tokens: revokesTokens ? 'revoke' : undefined,
        newOwner: newOwner || undefined,
      })
    } catch (error) {
      if (isLastOwnerError(error)) setNeedsOwner(true)
      throw error
    }
    await Promise.all([refreshPeople(), refreshProjects(), refreshTokens()])
  }
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove person"
      onClose={onClose}
      onConfirm={remove}
      isExplained={isLastOwnerError}
    >
      <strong>{name}</strong> ({email}) is signed out and can no longer sign in. Their tasks are
      disabled, and their share links stop working.{' '}
      {describePersonalTokens(liveTokens - liveServiceTokens)}
      {liveServiceTokens > 0 && (
        <Checkbox
          mt="md"
          label={`Also revoke ${formatCountWithNoun(liveServiceTokens, 'service token')} that they created`}
          description="Programs that use them lose access immediately. Otherwise they keep working."
          checked={revokesTokens}
          onChange={(event) => setRevokesTokens(event.currentTarget.checked)}
        />
      )}
      {needsOwner && <NewOwnerField person={person} value={newOwner} onChange={setNewOwner} />}
    </ConfirmDialog>
  )
}

function isLastOwnerError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'last_project_owner'
}

function describePersonalTokens(count: number): string {
  return count === 0
    ? 'They have no personal API tokens.'
    : `Their ${formatCountWithNoun(count, 'personal API token')} will stop working.`
}

interface NewOwnerFieldProps {
  person: ApiUserWithLiveTokenCount
  value: string
  onChange: (userId: string) => void
}

/** The new owner of the private projects that only this person owns. */
function NewOwnerField({ person, value, onChange }: NewOwnerFieldProps) {
  const users = usePeople().data?.users ?? []
  const others = users.filter(({ id }) => id !== person.id)
  return (
    <Stack mt="md" gap="xs">
      <Text role="alert">
        Not removed yet: {person.name} is the only owner of some private projects. Choose a new
        owner, who will see everything in them.
      </Text>
      <NativeSelect
        label="New owner of their private projects"
        value={value}
        data={[
          { value: '', label: 'Choose a person' },
          ...others.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Stack>
  )
}
