import { Button, Checkbox, Divider, Group, Radio, Stack, Text, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  ApiCreatedResetLink,
  ApiUserWithLiveTokenCount,
} from '../../src/http/shapes/account.ts'
import { ROLES } from '../../src/http/shapes/values.ts'
import { ROLE_DESCRIPTIONS } from '../account/account-labels.ts'
import { useReloadTokensOrSessions } from '../account/queries.ts'
import { cacheChangedUser, useApi, useAppState, useSignedInUser } from '../api/use-api.tsx'
import { CopyField } from '../ui/copy.tsx'
import { Dialog, ConfirmDialog } from '../ui/dialogs.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Time } from '../ui/format/time.tsx'
import { TextField, Form, readFormText, FormButtons, useAction } from '../ui/forms.tsx'
import { useRefreshSystemQuery, usePeople } from './queries.ts'
import { ApiError } from '../api/api-error.ts'

interface EditUserDialogProps {
  person: ApiUserWithLiveTokenCount
  onClose: () => void
}

/** Changes a person's email address and role, and creates a link for setting a new password. */
export function EditUserDialog({ person, onClose }: EditUserDialogProps) {
  const [link, setLink] = useState<ApiCreatedResetLink | null>(null)
  const { hasLocal } = useAppState().signIn
  return (
    <Dialog
      title={link ? `Password reset link for ${person.name}` : `Edit ${person.name}`}
      isPersistent={link !== null}
      onClose={onClose}
    >
      {link ? (
        <CreatedLink person={person} created={link} onDone={onClose} />
      ) : (
        <Stack gap="lg">
          <EmailAndRoleForm person={person} onDone={onClose} />
          {hasLocal && (
            <>
              <Divider />
              <ResetLinkSection person={person} onCreated={setLink} />
            </>
          )}
        </Stack>
      )}
    </Dialog>
  )
}

function EmailAndRoleForm({
  person,
  onDone,
}: {
  person: ApiUserWithLiveTokenCount
  onDone: () => void
}) {
  const api = useApi()
  const queries = useQueryClient()
  const me = useSignedInUser()
  const refresh = useRefreshSystemQuery('people')
  const refreshTokens = useReloadTokensOrSessions('tokens')
  const [role, setRole] = useState(person.role)
  const action = useAction(async (values: FormData) => {
    const { user } = await api.users.update(person.id, {
      email: readFormText(values, 'email'),
      role,
      tokens: values.has('revokeTokens') ? 'revoke' : undefined,
    })
    if (user.id === me.id) cacheChangedUser(queries, user)
    await Promise.all([refresh(), refreshTokens()])
    onDone()
  })
  return (
    <Form action={action}>
      <TextField
        name="email"
        label="Email"
        type="email"
        description="They sign in with the new address."
        autoComplete="off"
        maxLength={254}
        defaultValue={person.email}
        hasAutofocus
      />
      <Radio.Group name="role" label="Role" value={role} onChange={setRole}>
        <Stack mt="xs" gap="xs">
          {ROLES.toReversed().map((name) => (
            <Radio key={name} value={name} label={ROLE_DESCRIPTIONS[name]} />
          ))}
        </Stack>
      </Radio.Group>
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

interface ResetLinkSectionProps {
  person: ApiUserWithLiveTokenCount
  onCreated: (created: ApiCreatedResetLink) => void
}

function ResetLinkSection({ person, onCreated }: ResetLinkSectionProps) {
  const api = useApi()
  const action = useAction(async () => onCreated(await api.users.resetLink(person.id)))
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">If {person.name} forgot the password, create a link to set a new one.</Text>
      <Button variant="default" loading={action.isRunning} onClick={() => void action.run()}>
        Create reset link
      </Button>
      {action.error ? <ErrorBox error={action.error} /> : null}
    </Stack>
  )
}

interface CreatedLinkProps {
  person: ApiUserWithLiveTokenCount
  created: ApiCreatedResetLink
  onDone: () => void
}

function CreatedLink({ person, created, onDone }: CreatedLinkProps) {
  return (
    <Stack>
      {created.isMailed && <Text>The link is on its way to {person.email}.</Text>}
      <Text>
        {created.isMailed ? 'You can also send it yourself.' : `Send this link to ${person.email}.`}{' '}
        It is shown only once, works only once, and expires{' '}
        <Time at={created.expiresAt} show="relative" />. Their password stays valid until they use
        the link.
      </Text>
      <CopyField label="Link" value={created.link} what="link" hasAutofocus />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}

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
