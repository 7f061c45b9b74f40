import { Button, Divider, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WireUser } from '../../src/http/shapes/account.ts'
import { rememberUser, useApi, useUser } from '../app-state.tsx'
import { TextField } from '../ui/fields.tsx'
import { Form, readText } from '../ui/form.tsx'
import { SavedNote } from '../ui/saved-note.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { useAction } from '../ui/use-action.ts'
import { PasswordForm } from './password-form.tsx'
import { ROLE_WORDS } from './words.ts'

export function ProfileTab() {
  const user = useUser()
  return (
    <Stack gap="xl" maw={480}>
      <SectionHead
        title="Your profile"
        about={`${ROLE_WORDS[user.role]}. You sign in as ${user.email}.`}
      />
      <NameForm user={user} />
      <Divider />
      <SectionHead
        title="Password"
        about="A new password ends every other session of yours, on all devices."
      />
      <PasswordForm email={user.email} />
    </Stack>
  )
}

function NameForm({ user }: { user: WireUser }) {
  const api = useApi()
  const queries = useQueryClient()
  const [isSaved, setSaved] = useState(false)
  const action = useAction(async (values: FormData) => {
    setSaved(false)
    const name = readText(values, 'name').trim()
    const answer = await api.put<{ user: WireUser }>('/web/profile', { name })
    rememberUser(queries, answer.user)
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
      <SavedNote>{isSaved && 'Your name is saved.'}</SavedNote>
    </Form>
  )
}
