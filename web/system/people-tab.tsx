import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAppState } from '../api/app-state.tsx'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { usePeople } from './queries.ts'
import { UserTable } from './user-table.tsx'

export function PeopleTab() {
  const query = usePeople()
  const [isInviting, setInviting] = useState(false)
  // An invitation creates an account with a password.
  const { hasLocal } = useAppState().signIn
  return (
    <Stack gap="lg">
      <SectionHeader title="People" description="Everyone who can sign in to this console.">
        {hasLocal && <Button onClick={() => setInviting(true)}>Invite</Button>}
      </SectionHeader>
      <QueryView query={query} label="the people">
        {({ users, invitations }) => (
          <Stack gap="lg">
            <UserTable users={users} />
            <SectionHeader
              title="Pending invitations"
              description="Invitation links that have not been used yet."
            />
            {invitations.length > 0 ? (
              <InvitationTable invitations={invitations} />
            ) : (
              <Text>No pending invitations.</Text>
            )}
          </Stack>
        )}
      </QueryView>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Stack>
  )
}
