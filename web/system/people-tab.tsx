import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { SectionHead } from '../ui/section-head.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { usePeople } from './queries.ts'
import { UserTable } from './user-table.tsx'

export function PeopleTab() {
  const query = usePeople()
  const [isInviting, setInviting] = useState(false)
  return (
    <Stack gap="lg">
      <SectionHead title="People" about="Everybody who can sign in to this Hansard.">
        <Button onClick={() => setInviting(true)}>Invite</Button>
      </SectionHead>
      <Loaded query={query} what="the people">
        {({ users, invitations }) => (
          <Stack gap="lg">
            <UserTable users={users} />
            <SectionHead title="Open invitations" about="Links that were made and not used yet." />
            {invitations.length > 0 ? (
              <InvitationTable invitations={invitations} />
            ) : (
              <Text>No invitation is open.</Text>
            )}
          </Stack>
        )}
      </Loaded>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Stack>
  )
}
