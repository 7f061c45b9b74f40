import { Button, Divider, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiUser } from '../../src/http/shapes/account.ts'
import { GET_STARTED_STEPS, HIDDEN_LIST_KEY } from '../../src/http/shapes/values.ts'
import { ROLE_LABELS } from './account-labels.ts'
import { useSignInMethods, useReloadTokensOrSessions } from './queries.ts'
import { useChangeMark, useMarks } from './use-marks.ts'
import {
  cacheChangedUser,
  useApi,
  useAppState,
  useSignedInUser,
  cacheSignInResult,
} from '../api/app-state.tsx'
import { ErrorBox, StatusMessage } from '../ui/feedback/feedback.tsx'
import {
  TextField,
  PasswordField,
  Form,
  readFormText,
  readUntrimmedFormText,
  useAction,
} from '../ui/forms/form.tsx'
import { SectionHeader } from '../ui/layout/headings.tsx'
import { TextLink } from '../ui/links.tsx'

export function ProfileTab() {
  const user = useSignedInUser()
  const query = useSignInMethods()
  const { hasLocal } = useAppState().signIn
  return (
    <Stack gap="xl" maw={480}>
      <SectionHeader
        title="Profile"
        description={`${ROLE_LABELS[user.role]}. You sign in as ${user.email}.`}
      />
      <NameForm user={user} />
      {query.error ? <ErrorBox error={query.error} /> : null}
      {hasLocal && query.data?.hasPassword && (
        <>
          <Divider />
          <SectionHeader
            title="Password"
            description="Changing your password signs you out on all other devices."
          />
          <PasswordForm email={user.email} />
        </>
      )}
      <Divider />
      <GetStartedSection />
    </Stack>
  )
}

function NameForm({ user }: { user: ApiUser }) {
  const api = useApi()
  const queries = useQueryClient()
  const [isSaved, setSaved] = useState(false)
  const action = useAction(async (values: FormData) => {
    setSaved(false)
    const name = readFormText(values, 'name')
    const answer = await api.profile.update({ name })
    cacheChangedUser(queries, answer.user)
    setSaved(true)
  })
  return (
    <Form action={action}>
      <TextField
        name="name"
        label="Name"
        autoComplete="name"
        maxLength={100}
        defaultValue={user.name}
      />
      <Button type="submit" loading={action.isRunning} style={{ alignSelf: 'flex-start' }}>
        Save name
      </Button>
      <StatusMessage>{isSaved && 'Name saved.'}</StatusMessage>
    </Form>
  )
}

/** Brings back the list of first steps after the user has hidden it. */
function GetStartedSection() {
  const marks = useMarks()
  const change = useChangeMark()
  // Otherwise the section would disappear on the click, without a confirmation.
  const [wasShown, setShown] = useState(false)
  const show = useAction(() => {
    setShown(true)
    return change('get_started', HIDDEN_LIST_KEY, false)
  })
  if (!marks.isLoaded) return null
  const isComplete = GET_STARTED_STEPS.every((step) => marks.has('get_started', step))
  const isHidden = marks.has('get_started', HIDDEN_LIST_KEY)
  if (isComplete || (!isHidden && !wasShown)) return null
  return (
    <>
      <SectionHeader title="Get started" description="You have hidden the list of first steps." />
      <div role="status">
        {!isHidden && (
          <Text size="sm">
            The list is on your <TextLink to="/">home page</TextLink> again.
          </Text>
        )}
      </div>
      {isHidden && (
        <Button
          variant="default"
          loading={show.isRunning}
          onClick={() => void show.run()}
          style={{ alignSelf: 'flex-start' }}
        >
          Show the list again
        </Button>
      )}
      {show.error ? <ErrorBox error={show.error} /> : null}
    </>
  )
}

function PasswordForm({ email }: { email: string }) {
  const [changes, setChanges] = useState(0)
  const action = useChangePassword(() => setChanges((count) => count + 1))
  return (
    <>
      {/* After a password change, a new React key recreates the form with empty fields. */}
      <Form key={changes} action={action}>
        {/* Password managers save the new password under the user name in the same form. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordField
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
        />
        <PasswordField name="newPassword" label="New password" autoComplete="new-password" />
        <Button type="submit" loading={action.isRunning} style={{ alignSelf: 'flex-start' }}>
          Change password
        </Button>
      </Form>
      <StatusMessage>
        {changes > 0 && 'Password changed. You are signed out on all other devices.'}
      </StatusMessage>
    </>
  )
}

function useChangePassword(onChanged: () => void) {
  const api = useApi()
  const queries = useQueryClient()
  const refreshSessions = useReloadTokensOrSessions('sessions')
  return useAction(async (values: FormData) => {
    const answer = await api.password.update({
      currentPassword: readUntrimmedFormText(values, 'currentPassword'),
      newPassword: readUntrimmedFormText(values, 'newPassword'),
    })
    cacheSignInResult(queries, answer)
    onChanged()
    await refreshSessions()
  })
}
