import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cacheSignInResult, useApi } from '../api/app-state.tsx'
import { PasswordField } from '../ui/forms/fields.tsx'
import { Form, readUntrimmedFormText } from '../ui/forms/form.tsx'
import { StatusMessage } from '../ui/feedback/status-message.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useReloadTokensOrSessions } from './queries.ts'

export function PasswordForm({ email }: { email: string }) {
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
