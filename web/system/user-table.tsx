import { Badge, Group } from '@mantine/core'
import { useState } from 'react'
import type { WireUserWithLiveTokenCount } from '../../src/http/shapes/account.ts'
import { useSignedInUser } from '../api/app-state.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { Time } from '../ui/format/time.tsx'
import { ROLE_LABELS } from '../account/account-labels.ts'
import { EditUserDialog } from './people/edit-user-dialog.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'

const COLUMNS: [Column<WireUserWithLiveTokenCount>, ...Column<WireUserWithLiveTokenCount>[]] = [
  { header: 'Name', cell: (user) => <PersonName user={user} /> },
  { header: 'Email', cell: ({ email }) => <span className="break-anywhere">{email}</span> },
  { header: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
  { header: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} show="day" /> },
]

export function UserTable({ users }: { users: WireUserWithLiveTokenCount[] }) {
  const me = useSignedInUser()
  const [edited, setEdited] = useState<WireUserWithLiveTokenCount | null>(null)
  const [selected, setSelected] = useState<WireUserWithLiveTokenCount | null>(null)
  return (
    <>
      <DataTable
        caption="People"
        rows={users}
        columns={COLUMNS}
        rowMenu={({ id, name }) => ({ id, rowName: name })}
        renderActions={(user) => (
          <>
            <RowButton
              label="Edit"
              ariaLabel={`Edit ${user.name}`}
              onClick={() => setEdited(user)}
            />
            {user.id !== me.id && (
              <RowButton
                label="Remove"
                ariaLabel={`Remove ${user.name}`}
                onClick={() => setSelected(user)}
              />
            )}
          </>
        )}
      />
      {edited && <EditUserDialog person={edited} onClose={() => setEdited(null)} />}
      {selected && <RemoveUserDialog person={selected} onClose={() => setSelected(null)} />}
    </>
  )
}

function PersonName({ user }: { user: WireUserWithLiveTokenCount }) {
  const me = useSignedInUser()
  return (
    <Group gap="xs">
      <span>{user.name}</span>
      {user.id === me.id && <Badge variant="outline">You</Badge>}
    </Group>
  )
}
