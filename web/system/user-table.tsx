import { Badge, Group } from '@mantine/core'
import { useState } from 'react'
import type { WirePerson } from '../../src/http/shapes/account.ts'
import { useUser } from '../app-state.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { RowButton } from '../ui/row-button.tsx'
import { Time } from '../ui/time.tsx'
import { ROLE_WORDS } from '../account/words.ts'
import { RemoveDialog } from './remove-dialog.tsx'

const COLUMNS: [Column<WirePerson>, ...Column<WirePerson>[]] = [
  { head: 'Name', cell: (user) => <PersonName user={user} /> },
  { head: 'E-mail', cell: ({ email }) => <span className="break-anywhere">{email}</span> },
  { head: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
  { head: 'Since', cell: ({ createdAt }) => <Time at={createdAt} show="day" /> },
]

export function UserTable({ users }: { users: WirePerson[] }) {
  const me = useUser()
  const [victim, setVictim] = useState<WirePerson | null>(null)
  return (
    <>
      <DataTable
        caption="People"
        rows={users}
        columns={COLUMNS}
        menuOf={({ id, name }) => ({ id, name })}
        renderActions={(user) =>
          user.id !== me.id && (
            <RowButton
              label="Remove"
              name={`Remove ${user.name}`}
              onClick={() => setVictim(user)}
            />
          )
        }
      />
      {victim && <RemoveDialog person={victim} onClose={() => setVictim(null)} />}
    </>
  )
}

function PersonName({ user }: { user: WirePerson }) {
  const me = useUser()
  return (
    <Group gap="xs">
      <span>{user.name}</span>
      {user.id === me.id && <Badge variant="outline">You</Badge>}
    </Group>
  )
}
