import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { usePeople } from './queries.ts'
import { UserTable } from './user-table.tsx'

export function PeopleTab() {
  const query = usePeople()
  const [isInviting, setInviting] = useState(false)
  return (
    <Stack gap="lg">
      <SectionHeader title="People" about="Everybody who can sign in to this Hansard.">
        <Button onClick={() => setInviting(true)}>Invite</Button>
      </SectionHeader>
      <QueryView query={query} what="the people">
        {({ users, invitations }) => (
          <Stack gap="lg">
            <UserTable users={users} />
            <SectionHeader
              title="Open invitations"
              about="Links that were made and not used yet."
            />
            {invitations.length > 0 ? (
              <InvitationTable invitations={invitations} />
            ) : (
              <Text>No invitation is open.</Text>
            )}
          </Stack>
        )}
      </QueryView>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Stack>
  )
}
