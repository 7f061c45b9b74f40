import { useState } from 'react'
import type { WireInvitation } from '../../src/http/shapes/account.ts'
import { useApi } from '../app-state.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { RowButton } from '../ui/row-button.tsx'
import { Time } from '../ui/time.tsx'
import { useRefresh } from './queries.ts'
import { ROLE_WORDS } from '../account/words.ts'

const COLUMNS: [Column<WireInvitation>, ...Column<WireInvitation>[]] = [
  { head: 'For', cell: whom },
  { head: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
  { head: 'Made', cell: ({ createdAt }) => <Time at={createdAt} show="minute" /> },
  { head: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} show="distance" /> },
]

export function InvitationTable({ invitations }: { invitations: WireInvitation[] }) {
  const api = useApi()
  const refresh = useRefresh('people')
  const [victim, setVictim] = useState<WireInvitation | null>(null)
  return (
    <>
      <DataTable
        caption="Open invitations"
        rows={invitations}
        columns={COLUMNS}
        menuOf={(row) => ({ id: row.id, name: `the invitation for ${whom(row)}` })}
        renderActions={(invitation) => (
          <RowButton
            label="Withdraw"
            name={`Withdraw invitation for ${whom(invitation)}`}
            onClick={() => setVictim(invitation)}
          />
        )}
      />
      {victim && (
        <ConfirmDialog
          title={`Withdraw the invitation for ${whom(victim)}?`}
          confirmLabel="Withdraw invitation"
          onClose={() => setVictim(null)}
          onConfirm={async () => {
            await api.delete(`/web/invitations/${encodeURIComponent(victim.id)}`)
            await refresh()
          }}
        >
          The link that was made for {whom(victim)} stops working at once.
        </ConfirmDialog>
      )}
    </>
  )
}

function whom({ email }: WireInvitation): string {
  return email ?? 'anyone with the link'
}
