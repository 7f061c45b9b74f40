import { useQueryClient } from '@tanstack/react-query'
import { Stack, Text, Checkbox, NativeSelect, Divider } from '@mantine/core'
import { useState } from 'react'
import type {
  ApiCreatedResetLink,
  ApiUserWithLiveTokenCount,
} from '../../src/http/shapes/account.ts'
import { cacheChangedUser, useAppState, useSignedInUser } from '../api/use-api.tsx'
import { Dialog, ConfirmDialog } from '../ui/dialogs.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Time } from '../ui/format/time.tsx'
import { Form, readFormText, FormButtons, useRequest, ActionButtonWithError } from '../ui/forms.tsx'
import { usePeople } from './queries.ts'
import { ApiError } from '../api/api-error.ts'
import { TextField, RadioField } from '../ui/fields.tsx'
import { CreatedLink } from '../ui/copy.tsx'
import type { ApiClient } from '../api/client.ts'
import { ROLE_OPTIONS } from '../account/account-labels.ts'

interface EditUserDialogProps {
  person: ApiUserWithLiveTokenCount
  onClose: () => void
}

/** Changes a person's email address and role, and creates a link for setting a new password. */
export function EditUserDialog({ person, onClose }: EditUserDialogProps) {
  const [link, setLink] = useState<ApiCreatedResetLink | null>(null)
  const { hasLocal } = useAppState().signIn
  const createLink = useRequest((api) => api.users.resetLink(person.id), [], setLink)
  return (
    <Dialog
      title={link ? `Password reset link for ${person.name}` : `Edit ${person.name}`}
      isPersistent={link !== null}
      onClose={onClose}
    >
      {link ? (
        <CreatedLink label="Link" link={link.link} onDone={onClose}>
          {link.isMailed && <Text>The link is on its way to {person.email}.</Text>}
          <Text>
            {link.isMailed
              ? 'You can also send it yourself.'
              : `Send this link to ${person.email}.`}{' '}
            It is shown only once, works only once, and expires{' '}
            <Time at={link.expiresAt} show="relative" />. Their password stays valid until they use
            the link.
          </Text>
        </CreatedLink>
      ) : (
        <Stack gap="lg">
          <EmailAndRoleForm person={person} onDone={onClose} />
          {hasLocal && (
            <>
              <Divider />
              <Text size="sm">
                If {person.name} forgot the password, create a link to set a new one.
              </Text>
              <ActionButtonWithError
                style={{ alignSelf: 'flex-start' }}
                variant="default"
                action={createLink}
              >
                Create reset link
              </ActionButtonWithError>
            </>
          )}
        </Stack>
      )}
    </Dialog>
  )
}

type EmailAndRoleFormProps = { person: ApiUserWithLiveTokenCount; onDone: () => void }

function EmailAndRoleForm({ person, onDone }: EmailAndRoleFormProps) {
  const queries = useQueryClient()
  const me = useSignedInUser()
  const [role, setRole] = useState(person.role)
  const save = async (api: ApiClient, values: FormData) => {
    const { user } = await api.users.update(person.id, {
      email: readFormText(values, 'email'),
      role,
      tokens: values.has('revokeTokens') ? 'revoke' : undefined,
    })
    if (user.id === me.id) cacheChangedUser(queries, user)
  }
  const action = useRequest(save, ['people', 'tokens'], onDone)
  return (
    <Form action={action}>
      <TextField
        name="email"
        label="Email"
        type="email"
        description="They sign in with the new address."
        maxLength={254}
        defaultValue={person.email}
        hasAutofocus
      />
      <RadioField name="role" label="Role" value={role} options={ROLE_OPTIONS} onChange={setRole} />
      {person.role === 'admin' && role !== 'admin' && <DemotionConsequences person={person} />}
      <FormButtons isRunning={action.isRunning} onCancel={onDone}>
        Save
      </FormButtons>
    </Form>
  )
}

/** What ends with the admin role, and what can end with it. */
function DemotionConsequences({ person }: { person: ApiUserWithLiveTokenCount }) {
  const { liveServiceTokens: count } = person
  return (
    <>
      <Text size="sm">Their open invitations and reset links stop working.</Text>
      {count > 0 && (
        <Checkbox
          name="revokeTokens"
          label={`Also revoke ${formatCountWithNoun(count, 'service token')} that they created`}
          description="Programs that use them lose access immediately. Otherwise they keep working."
          defaultChecked
        />
      )}
    </>
  )
}

interface RemoveUserDialogProps {
  person: ApiUserWithLiveTokenCount
  onClose: () => void
}

/** Removes a person. If they are the only owner of private projects, it asks for a new owner and tries again. */
export function RemoveUserDialog({ person, onClose }: RemoveUserDialogProps) {
  const [revokesTokens, setRevokesTokens] = useState(true)
  const [needsOwner, setNeedsOwner] = useState(false)
  const [newOwner, setNewOwner] = useState('')
  const { name, email, liveTokens, liveServiceTokens } = person
  const remove = async (api: ApiClient) => {
    try {
      await api.users.remove(person.id, {
        tokens: revokesTokens ? 'revoke' : undefined,
        newOwner: newOwner || undefined,
      })
    } catch (error) {
      if (isLastOwnerError(error)) setNeedsOwner(true)
      throw error
    }
  }
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove person"
      onClose={onClose}
      onConfirm={remove}
      reloads={['people', 'project-summaries', 'tokens']}
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
