import { Button, Divider, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WireUser } from '../../src/http/shapes/account.ts'
import { cacheChangedUser, useApi, useAppState, useSignedInUser } from '../api/app-state.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, readFormText } from '../ui/forms/form.tsx'
import { StatusMessage } from '../ui/feedback/status-message.tsx'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useSignInMethods } from './methods/queries.ts'
import { GetStartedSection } from './get-started-section.tsx'
import { PasswordForm } from './password-form.tsx'
import { ROLE_LABELS } from './account-labels.ts'

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

function NameForm({ user }: { user: WireUser }) {
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
