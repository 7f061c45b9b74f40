import { Badge, Group } from '@mantine/core'
import { useState } from 'react'
import type { WireUser } from '../../src/http/shapes/account.ts'
import { useApi, useUser } from '../app-state.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { RowButton } from '../ui/row-button.tsx'
import { Time } from '../ui/time.tsx'
import { useRefresh } from './queries.ts'
import { ROLE_WORDS } from '../account/words.ts'

const COLUMNS: [Column<WireUser>, ...Column<WireUser>[]] = [
  { head: 'Name', cell: (user) => <PersonName user={user} /> },
  { head: 'E-mail', cell: ({ email }) => <span className="break-anywhere">{email}</span> },
  { head: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
  { head: 'Since', cell: ({ createdAt }) => <Time at={createdAt} show="day" /> },
]

export function UserTable({ users }: { users: WireUser[] }) {
  const api = useApi()
  const me = useUser()
  const refresh = useRefresh('people')
  const [victim, setVictim] = useState<WireUser | null>(null)
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
      {victim && (
        <ConfirmDialog
          title={`Remove ${victim.name}?`}
          confirmLabel="Remove person"
          onClose={() => setVictim(null)}
          onConfirm={async () => {
            await api.delete(`/web/users/${encodeURIComponent(victim.id)}`)
            await refresh()
          }}
        >
          <strong>{victim.name}</strong> ({victim.email}) can no longer sign in and all of their
          sessions end.
        </ConfirmDialog>
      )}
    </>
  )
}

function PersonName({ user }: { user: WireUser }) {
  const me = useUser()
  return (
    <Group gap="xs">
      <span>{user.name}</span>
      {user.id === me.id && <Badge variant="outline">You</Badge>}
    </Group>
  )
}
