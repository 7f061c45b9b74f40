import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { cacheSignInResult, useApi, useAppState } from '../../api/app-state.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { CreateAccountForm } from './create-account-form.tsx'
import { PageTitle } from '../../ui/layout/headings.tsx'
import { OneTimeCodeForm, useUrlFragmentCode } from './one-time-code.tsx'

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
