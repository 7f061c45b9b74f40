import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiInvitation } from '../../../src/http/shapes/account.ts'
import { cacheSignInResult, useApi, useAppState } from '../../api/app-state.tsx'
import { ROLE_LABELS } from '../account-labels.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { CreateAccountForm } from './create-account-form.tsx'
import { PageTitle } from '../../ui/layout/headings.tsx'
import { Time } from '../../ui/format/time.tsx'
import { CheckedCode, OneTimeCodeForm, useUrlFragmentCode } from './one-time-code.tsx'

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
