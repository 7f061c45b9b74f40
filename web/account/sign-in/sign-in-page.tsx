import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Stack, Button, Alert, Divider } from '@mantine/core'
import { canUsePasskeys, signWithPasskey } from '../passkey-browser.ts'
import { ProviderButton, describeSignInProblem } from './provider-button.tsx'
import { cacheSignInResult, useApi, useAppState } from '../../api/use-api.tsx'
import {
  Form,
  readFormText,
  readUntrimmedFormText,
  useAction,
  ActionButtonWithError,
} from '../../ui/forms.tsx'
import { PageTitle } from '../../ui/layout.tsx'
import { parseSameOriginPath } from '../../../src/lib/net/same-origin-path.ts'
import { Hint } from '../../ui/text.tsx'
import { TextField, PasswordField } from '../../ui/fields.tsx'

const route = getRouteApi('/signed-out/sign-in')

export function SignInPage() {
  const { user, setupNeeded, signIn } = useAppState()
  const { next = '/', problem } = route.useSearch()
  const { provider, hasLocal, hasPasskeys } = signIn
  if (setupNeeded && provider === null) return <Navigate to="/setup" replace />
  if (user) return <RedirectTo to={next} />
  return (
    <Stack>
      <PageTitle>Sign in</PageTitle>
      {problem && (
        <Alert color="red" variant="outline" role="alert">
          {describeSignInProblem(problem, provider)}
        </Alert>
      )}
      {provider !== null && (
        <ProviderButton start={(api) => api.signIn.provider({ next })} variant="filled">
          {`Sign in with ${provider}`}
        </ProviderButton>
      )}
      {provider !== null && hasLocal && <Divider label="or" labelPosition="center" />}
      {hasLocal && <SignInForm isMain={provider === null} />}
      {hasPasskeys && canUsePasskeys() && <PasskeyButton />}
      <Hint>
        {hasLocal
          ? 'No account, or forgot your password? Ask an administrator for a link.'
          : 'No account? Ask an administrator.'}
      </Hint>
    </Stack>
  )
}

/** `isMain`: the password is the usual way to sign in here. */
function SignInForm({ isMain }: { isMain: boolean }) {
  const api = useApi()
  const queries = useQueryClient()
  const action = useAction(async (values: FormData) => {
    const answer = await api.signIn.password({
      email: readFormText(values, 'email'),
      password: readUntrimmedFormText(values, 'password'),
    })
    cacheSignInResult(queries, answer)
  })
  return (
    <Form action={action}>
      <TextField name="email" label="Email" type="email" autoComplete="username" autoFocus />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <Button
        type="submit"
        variant={isMain ? 'filled' : 'default'}
        loading={action.isRunning}
        mt="xs"
      >
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

function PasskeyButton() {
  const api = useApi()
  const queries = useQueryClient()
  const action = useAction(async () => {
    const { options } = await api.signIn.passkeyOptions()
    const response = await signWithPasskey(options)
    cacheSignInResult(queries, await api.signIn.passkey({ response }))
  })
  return (
    <ActionButtonWithError variant="default" action={action}>
      Sign in with a passkey
    </ActionButtonWithError>
  )
}

/** Allows only paths on this origin, to prevent open redirects. */
export function parseSafeNextPath(value: unknown): string | undefined {
  return parseSameOriginPath(value, window.location.origin) ?? undefined
}

/** True if the server renders the page, so the router does not know it. */
function isServerRenderedPath(path: string): boolean {
  return /^\/(docs|openapi\.json|llms\.txt)/.test(path)
}
