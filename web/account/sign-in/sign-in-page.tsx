import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { WireSignedIn } from '../../../src/http/shapes/account.ts'
import { cacheSignInResult, useApi, useAppState } from '../../api/app-state.tsx'
import { isServerRenderedPath } from './next-path.ts'
import { PasswordField, TextField } from '../../ui/forms/fields.tsx'
import { Form, readFormText, readUntrimmedFormText } from '../../ui/forms/form.tsx'
import { PageTitle } from '../../ui/layout/page-title.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

const route = getRouteApi('/signed-out/sign-in')

export function SignInPage() {
  const { user, setupNeeded } = useAppState()
  const { next = '/' } = route.useSearch()
  if (setupNeeded) return <Navigate to="/setup" replace />
  if (user) return <RedirectTo to={next} />
  return (
    <Stack>
      <PageTitle>Sign in</PageTitle>
      <SignInForm />
      <Text size="sm" c="dimmed">
        No account, or locked out? Ask an administrator for an invitation link.
      </Text>
    </Stack>
  )
}

function SignInForm() {
  const api = useApi()
  const queries = useQueryClient()
  const action = useAction(async (values: FormData) => {
    const answer = await api.post<WireSignedIn>('/web/sign-in', {
      email: readFormText(values, 'email'),
      password: readUntrimmedFormText(values, 'password'),
    })
    cacheSignInResult(queries, answer)
  })
  return (
    <Form action={action}>
      <TextField name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <Button type="submit" loading={action.isRunning} mt="xs">
        Sign in
      </Button>
    </Form>
  )
}

function RedirectTo({ to }: { to: string }) {
  const { history } = useRouter()
  useEffect(() => {
    if (isServerRenderedPath(to)) window.location.replace(to)
    else history.replace(to)
  }, [history, to])
  return null
}
