import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { WireInvitation } from '../../../src/http/shapes/account.ts'
import { cacheSignInResult, useApi, useAppState } from '../../api/app-state.tsx'
import { ROLE_LABELS } from '../account-labels.ts'
import { OneTimeCodeForm } from './code-form.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { CreateAccountForm } from './create-account-form.tsx'
import { PageTitle } from '../../ui/layout/page-title.tsx'
import { Time } from '../../ui/format/time.tsx'
import { LoadingIndicator } from '../../ui/feedback/loading-indicator.tsx'
import { useUrlFragmentCode } from './use-fragment-code.ts'

export function InvitePage() {
  const { user } = useAppState()
  const { code, setCode, deleteStored } = useUrlFragmentCode()
  const [isAccepted, setAccepted] = useState(false)
  if (user && isAccepted) return <Navigate to="/" replace />
  return (
    <Stack>
      <PageTitle>Join Hansard</PageTitle>
      {user && <SignedInAlready name={user.name} />}
      {!user && !code && <AskForLink onCode={setCode} />}
      {!user && code && (
        <CheckedInvitation
          key={code}
          code={code}
          onAccepted={() => {
            deleteStored()
            setAccepted(true)
          }}
          onOther={() => setCode('')}
        />
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

function AskForLink({ onCode }: { onCode: (pasted: string) => void }) {
  return (
    <OneTimeCodeForm
      label="Invitation link"
      description="The link you got from an administrator. It looks like …/invite#code."
      onCode={onCode}
    />
  )
}

interface CheckedInvitationProps {
  code: string
  onAccepted: () => void
  onOther: () => void
}

function CheckedInvitation({ code, onAccepted, onOther }: CheckedInvitationProps) {
  const { invitation, error } = useInvitation(code)
  if (invitation) {
    return <AcceptForm code={code} invitation={invitation} onAccepted={onAccepted} />
  }
  if (!error) return <LoadingIndicator label="Checking the invitation" />
  return (
    <>
      <ErrorBox error={error} />
      <Button variant="default" onClick={onOther}>
        Use another link
      </Button>
    </>
  )
}

interface AcceptFormProps {
  code: string
  invitation: WireInvitation
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

/** Does not use a query, because the query cache would store the code as its key. */
function useInvitation(code: string) {
  const api = useApi()
  const [invitation, setInvitation] = useState<WireInvitation | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    api.invitation
      .check({ code })
      .then((answer) => setInvitation(answer.invitation))
      .catch(setError)
  }, [api, code])
  return { invitation, error }
}
