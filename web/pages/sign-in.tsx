import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { WireSignedIn } from '../../src/http/shapes/account.ts'
import { rememberSignIn, useApi, useAppState } from '../app-state.tsx'
import { isServerPage } from '../next-path.ts'
import { PasswordField, TextField } from '../ui/fields.tsx'
import { Form, readText } from '../ui/form.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { useAction } from '../ui/use-action.ts'

const route = getRouteApi('/outside/sign-in')

export function SignInPage() {
  const { user, setupNeeded } = useAppState()
  const { next = '/' } = route.useSearch()
  if (setupNeeded) return <Navigate to="/setup" replace />
  if (user) return <Forward to={next} />
  return (
    <Stack>
      <PageTitle>Sign in</PageTitle>
      <SignInForm />
      <Text size="sm" c="dimmed">
        No account yet, or no way in any more? Ask an administrator for an invitation link.
      </Text>
    </Stack>
  )
}

function SignInForm() {
  const api = useApi()
  const queries = useQueryClient()
  const action = useAction(async (values: FormData) => {
    const answer = await api.post<WireSignedIn>('/web/sign-in', {
      email: readText(values, 'email').trim(),
      password: readText(values, 'password'),
    })
    rememberSignIn(queries, answer)
  })
  return (
    <Form action={action}>
      <TextField name="email" label="E-mail" type="email" autoComplete="username" />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <Button type="submit" loading={action.isRunning} mt="xs">
        Sign in
      </Button>
    </Form>
  )
}

function Forward({ to }: { to: string }) {
  const { history } = useRouter()
  useEffect(() => {
    if (isServerPage(to)) window.location.replace(to)
    else history.replace(to)
  }, [history, to])
  return null
}
