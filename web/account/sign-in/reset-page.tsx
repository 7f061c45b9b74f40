import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { WireResetLinkUser } from '../../../src/http/shapes/account.ts'
import { cacheSignInResult, useApi } from '../../api/app-state.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { LoadingIndicator } from '../../ui/feedback/loading-indicator.tsx'
import { PasswordField } from '../../ui/forms/fields.tsx'
import { Form, readUntrimmedFormText } from '../../ui/forms/form.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { PageTitle } from '../../ui/layout/page-title.tsx'
import { OneTimeCodeForm } from './code-form.tsx'
import { useUrlFragmentCode } from './use-fragment-code.ts'

/** Sets a new password with an administrator's one-time link. */
export function ResetPage() {
  const { code, setCode, deleteStored } = useUrlFragmentCode()
  const [isDone, setDone] = useState(false)
  if (isDone) return <Navigate to="/" replace />
  return (
    <Stack>
      <PageTitle>Set a new password</PageTitle>
      {code ? (
        <CheckedLink
          key={code}
          code={code}
          onDone={() => {
            deleteStored()
            setDone(true)
          }}
          onOther={() => setCode('')}
        />
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

interface CheckedLinkProps {
  code: string
  onDone: () => void
  onOther: () => void
}

function CheckedLink({ code, onDone, onOther }: CheckedLinkProps) {
  const { person, error } = useResetLinkUser(code)
  if (person) return <NewPasswordForm code={code} person={person} onDone={onDone} />
  if (!error) return <LoadingIndicator label="Checking the link" />
  return (
    <>
      <ErrorBox error={error} />
      <Button variant="default" onClick={onOther}>
        Use another link
      </Button>
    </>
  )
}

interface NewPasswordFormProps {
  code: string
  person: WireResetLinkUser
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

/** Does not use a query, because the query cache would store the code as its key. */
function useResetLinkUser(code: string) {
  const api = useApi()
  const [person, setPerson] = useState<WireResetLinkUser | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    api.passwordReset.check({ code }).then(setPerson).catch(setError)
  }, [api, code])
  return { person, error }
}
