import { useState } from 'react'
import type { WireInvitation } from '../../src/http/shapes/account.ts'
import { useApi } from '../api/app-state.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { Time } from '../ui/format/time.tsx'
import { useRefreshSystem } from './queries.ts'
import { ROLE_LABELS } from '../account/account-labels.ts'

const COLUMNS: [Column<WireInvitation>, ...Column<WireInvitation>[]] = [
  { header: 'For', cell: inviteeLabel },
  { header: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
  { header: 'Made', cell: ({ createdAt }) => <Time at={createdAt} show="minute" /> },
  { header: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} show="distance" /> },
]

export function InvitationTable({ invitations }: { invitations: WireInvitation[] }) {
  const api = useApi()
  const refresh = useRefreshSystem('people')
  const [victim, setVictim] = useState<WireInvitation | null>(null)
  return (
    <>
      <DataTable
        caption="Open invitations"
        rows={invitations}
        columns={COLUMNS}
        menuOf={(row) => ({ id: row.id, name: `the invitation for ${inviteeLabel(row)}` })}
        renderActions={(invitation) => (
          <RowButton
            label="Withdraw"
            name={`Withdraw invitation for ${inviteeLabel(invitation)}`}
            onClick={() => setVictim(invitation)}
          />
        )}
      />
      {victim && (
        <ConfirmDialog
          title={`Withdraw the invitation for ${inviteeLabel(victim)}?`}
          confirmLabel="Withdraw invitation"
          onClose={() => setVictim(null)}
          onConfirm={async () => {
            await api.delete(`/web/invitations/${encodeURIComponent(victim.id)}`)
            await refresh()
          }}
        >
          The link that was made for {inviteeLabel(victim)} stops working at once.
        </ConfirmDialog>
      )}
    </>
  )
}

function inviteeLabel({ email }: WireInvitation): string {
  return email ?? 'anyone with the link'
}
