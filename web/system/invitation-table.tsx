import { useState } from 'react'
import type { WireInvitation } from '../../src/http/shapes/account.ts'
import { useApi } from '../api/app-state.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { Time } from '../ui/format/time.tsx'
import { useRefreshSystemQuery } from './queries.ts'
import { ROLE_LABELS } from '../account/account-labels.ts'

const COLUMNS: [Column<WireInvitation>, ...Column<WireInvitation>[]] = [
  { header: 'For', cell: inviteeLabel },
  { header: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} show="minute" /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} show="relative" /> },
]

export function InvitationTable({ invitations }: { invitations: WireInvitation[] }) {
  const api = useApi()
  const refresh = useRefreshSystemQuery('people')
  const [selected, setSelected] = useState<WireInvitation | null>(null)
  return (
    <>
      <DataTable
        caption="Pending invitations"
        rows={invitations}
        columns={COLUMNS}
        rowMenu={(row) => ({ id: row.id, rowName: `the invitation for ${inviteeLabel(row)}` })}
        renderActions={(invitation) => (
          <RowButton
            label="Revoke"
            ariaLabel={`Revoke invitation for ${inviteeLabel(invitation)}`}
            onClick={() => setSelected(invitation)}
          />
        )}
      />
      {selected && (
        <ConfirmDialog
          title={`Revoke the invitation for ${inviteeLabel(selected)}?`}
          confirmLabel="Revoke invitation"
          onClose={() => setSelected(null)}
          onConfirm={async () => {
            await api.invitations.remove(selected.id)
            await refresh()
          }}
        >
          The invitation link for {inviteeLabel(selected)} stops working immediately.
        </ConfirmDialog>
      )}
    </>
  )
}

function inviteeLabel({ email }: WireInvitation): string {
  return email ?? 'anyone with the link'
}
