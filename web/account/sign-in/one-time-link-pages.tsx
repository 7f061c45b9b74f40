import { Navigate, useLocation } from '@tanstack/react-router'
import { useState, useEffect, type ReactNode, useEffectEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Stack, Text, Button } from '@mantine/core'
import { cacheSignInResult, useApi, useAppState } from '../../api/use-api.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { PageTitle } from '../../ui/layout.tsx'
import type { ApiInvitation, ApiResetLinkUser } from '../../../src/http/shapes/account.ts'
import { ROLE_LABELS } from '../account-labels.ts'
import { Time } from '../../ui/format/time.tsx'
import { Form, readUntrimmedFormText, useAction, readFormText } from '../../ui/forms.tsx'
import { ErrorBox, LoadingIndicator } from '../../ui/feedback/feedback.tsx'
import { extractCode, readStoredCode, storeCode } from './stored-code.ts'
import { PasswordField, TextField } from '../../ui/fields.tsx'

export function SetupPage() {
  const { setupNeeded, user, signIn } = useAppState()
  const { code, setCode, deleteStored } = useUrlFragmentCode()
  if (user) return <Navigate to="/" replace />
  return (
    <Stack>
      <PageTitle>Set up Hansard</PageTitle>
      {setupNeeded ? (
        <SetupSteps code={code} onCode={setCode} onDone={deleteStored} />
      ) : (
        <AlreadyDone />
      )}
      {setupNeeded && signIn.provider !== null && (
        <Text size="sm">
          Or, if your groups make you an administrator,{' '}
          <TextLink to="/sign-in">sign in with {signIn.provider}</TextLink>.
        </Text>
      )}
    </Stack>
  )
}

function AlreadyDone() {
  return (
    <>
      <Text>Hansard is already set up. The setup link works only once.</Text>
      <ButtonLink to="/sign-in">Go to sign in</ButtonLink>
    </>
  )
}

interface SetupStepsProps {
  code: string
  onCode: (pasted: string) => void
  onDone: () => void
}

function SetupSteps({ code, onCode, onDone }: SetupStepsProps) {
  const api = useApi()
  const queries = useQueryClient()
  if (!code) {
    return (
      <>
        <Text>Hansard prints a one-time setup link when it starts. Open it, or paste it here.</Text>
        <OneTimeCodeForm
          label="Setup link"
          description="Look in the terminal or the log. It looks like …/setup#code."
          onCode={onCode}
        />
      </>
    )
  }
  return (
    <>
      <Text>You are the first user, so this account will be an administrator.</Text>
      <CreateAccountForm
        onSubmit={async (person) => {
          const answer = await api.setup.finish({ code, ...person })
          onDone()
          cacheSignInResult(queries, answer)
        }}
      />
      <Button variant="subtle" onClick={() => onCode('')}>
        Use another setup link
      </Button>
    </>
  )
}

export function InvitePage() {
  const api = useApi()
  const { user } = useAppState()
  const { code, setCode, deleteStored } = useUrlFragmentCode()
  const [isAccepted, setAccepted] = useState(false)
  if (user && isAccepted) return <Navigate to="/" replace />
  return (
    <Stack>
      <PageTitle>Join Hansard</PageTitle>
      {user && <SignedInAlready name={user.name} />}
      {!user && !code && (
        <OneTimeCodeForm
          label="Invitation link"
          description="The link you got from an administrator. It looks like …/invite#code."
          onCode={setCode}
        />
      )}
      {!user && code && (
        <CheckedCode
          key={code}
          check={() => api.invitation.check({ code })}
          onOther={() => setCode('')}
        >
          {({ invitation }) => (
            <AcceptForm
              code={code}
              invitation={invitation}
              onAccepted={() => {
                deleteStored()
                setAccepted(true)
              }}
            />
          )}
        </CheckedCode>
      )}
    </Stack>
  )
}

function SignedInAlready({ name }: { name: string }) {
  return (
    <>
      <Text>
        You are signed in as {name}. An invitation creates a new account. To use it, sign out and
        open the link again.
      </Text>
      <ButtonLink to="/">Go to the console</ButtonLink>
    </>
  )
}

interface AcceptFormProps {
  code: string
  invitation: ApiInvitation
  onAccepted: () => void
}

function AcceptForm({ code, invitation, onAccepted }: AcceptFormProps) {
  const api = useApi()
  const queries = useQueryClient()
  return (
    <>
      <Text>
        Your role: {ROLE_LABELS[invitation.role]}. The invitation expires{' '}
        <Time at={invitation.expiresAt} show="relative" />.
      </Text>
      <CreateAccountForm
        initialEmail={invitation.email}
        onSubmit={async (person) => {
          const answer = await api.invitation.accept({ code, ...person })
          onAccepted()
          cacheSignInResult(queries, answer)
        }}
      />
    </>
  )
}

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

interface AccountFormValues {
  name: string
  email: string
  password: string
}

interface CreateAccountFormProps {
  initialEmail?: string | null
  onSubmit: (person: AccountFormValues) => Promise<void>
}

function CreateAccountForm({ initialEmail, onSubmit }: CreateAccountFormProps) {
  const action = useAction((values: FormData) =>
    onSubmit({
      name: readFormText(values, 'name'),
      email: readFormText(values, 'email'),
      password: readUntrimmedFormText(values, 'password'),
    }),
  )
  return (
    <Form action={action}>
      <TextField name="name" label="Name" autoComplete="name" maxLength={100} autoFocus />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={254}
        defaultValue={initialEmail ?? ''}
        description="You use it to sign in."
      />
      <PasswordField name="password" label="Password" autoComplete="new-password" />
      <Button type="submit" loading={action.isRunning} mt="xs">
        Create account
      </Button>
    </Form>
  )
}

interface UrlFragmentCode {
  /** Empty if there is none. */
  code: string
  /** Uses the code in pasted text. An empty text means no code. */
  setCode: (pasted: string) => void
  /** Deletes the stored copy of a used code, which no longer opens anything. */
  deleteStored: () => void
}

/**
 * The one-time code of a setup, invitation or reset link, from the URL fragment, which browsers do not send to servers.
 * This hook also removes it from the address bar, so that it does not appear in screenshots, and stores it for a reload
 * of the page.
 */
function useUrlFragmentCode(): UrlFragmentCode {
  const hash = useLocation({ select: (location) => location.hash })
  const pathname = useLocation({ select: (location) => location.pathname })
  const [code, setCode] = useState(() => hash || readStoredCode(pathname, window.sessionStorage))
  // Opening a second link in the same tab changes only the fragment and does not reload the page.
  if (hash && hash !== code) setCode(hash)
  useEffect(() => {
    if (!hash) return
    storeCode(pathname, hash, window.sessionStorage)
    window.history.replaceState(
      window.history.state,
      '',
      window.location.pathname + window.location.search,
    )
  }, [hash, pathname])
  return {
    code,
    setCode: (pasted) => {
      const next = extractCode(pasted)
      storeCode(pathname, next, window.sessionStorage)
      setCode(next)
    },
    deleteStored: () => storeCode(pathname, '', window.sessionStorage),
  }
}

interface CodeFormProps {
  label: string
  description: string
  onCode: (pasted: string) => void
}

function OneTimeCodeForm({ label, description, onCode }: CodeFormProps) {
  const action = useAction(async (values: FormData) => onCode(readFormText(values, 'code')))
  return (
    <Form action={action}>
      <TextField name="code" label={label} description={description} autoFocus />
      <Button type="submit">Continue</Button>
    </Form>
  )
}

interface CheckedCodeProps<Found> {
  /** Finds what the code opens. Called once. */
  check: () => Promise<Found>
  onOther: () => void
  children: (found: Found) => ReactNode
}

/** Shows the form of a link after checking its code. Not a query, whose cache would store the code as its key. */
function CheckedCode<Found>({ check, onOther, children }: CheckedCodeProps<Found>) {
  const [found, setFound] = useState<Found | null>(null)
  const [error, setError] = useState<unknown>(null)
  const checkOnce = useEffectEvent(() => check().then(setFound).catch(setError))
  useEffect(() => void checkOnce(), [])
  if (found) return children(found)
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
