import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiResetLinkUser } from '../../../src/http/shapes/account.ts'
import { cacheSignInResult, useApi } from '../../api/app-state.tsx'
import { PasswordField, Form, readUntrimmedFormText, useAction } from '../../ui/forms/form.tsx'
import { PageTitle } from '../../ui/layout/headings.tsx'
import { CheckedCode, OneTimeCodeForm, useUrlFragmentCode } from './one-time-code.tsx'

/** Sets a new password with an administrator's one-time link. */
export function ResetPage() {
  const api = useApi()
  const { code, setCode, deleteStored } = useUrlFragmentCode()
  const [isDone, setDone] = useState(false)
  if (isDone) return <Navigate to="/" replace />
  return (
    <Stack>
      <PageTitle>Set a new password</PageTitle>
      {code ? (
        <CheckedCode
          key={code}
          check={() => api.passwordReset.check({ code })}
          onOther={() => setCode('')}
        >
          {(person) => (
            <NewPasswordForm
              code={code}
              person={person}
              onDone={() => {
                deleteStored()
                setDone(true)
              }}
            />
          )}
        </CheckedCode>
      ) : (
        <OneTimeCodeForm
          label="Reset link"
          description="The link you got from an administrator. It looks like …/reset#code."
          onCode={setCode}
        />
      )}
    </Stack>
  )
}

interface NewPasswordFormProps {
  code: string
  person: ApiResetLinkUser
  onDone: () => void
}

function NewPasswordForm({ code, person, onDone }: NewPasswordFormProps) {
  const api = useApi()
  const queries = useQueryClient()
  const action = useAction(async (values: FormData) => {
    const password = readUntrimmedFormText(values, 'password')
    const answer = await api.passwordReset.finish({ code, password })
    onDone()
    cacheSignInResult(queries, answer)
  })
  return (
    <>
      <Text>
        For {person.name} ({person.email}). Setting a new password signs you out on all other
        devices and revokes your personal API tokens.
      </Text>
      <Form action={action}>
        {/* Password managers save the new password under the user name in the same form. */}
        <input type="text" value={person.email} autoComplete="username" readOnly hidden />
        <PasswordField name="password" label="New password" autoComplete="new-password" autoFocus />
        <Button type="submit" loading={action.isRunning} mt="xs">
          Set password and sign in
        </Button>
      </Form>
    </>
  )
}
