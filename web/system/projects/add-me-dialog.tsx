import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { MEMBER_ROLE_OPTIONS } from '../../access/access-labels.ts'
import { useReloadProjectAccess } from '../../access/queries.ts'
import type { MemberRole } from '../../../src/http/shapes/values.ts'
import { useApi } from '../../api/app-state.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useRefreshSystemQuery } from '../queries.ts'

interface AddMeDialogProps {
  project: string
  onClose: () => void
}

/** Adds the signed-in admin to a private project. */
export function AddMeDialog({ project, onClose }: AddMeDialogProps) {
  const api = useApi()
  const refreshProjects = useRefreshSystemQuery('projects')
  const reloadAccess = useReloadProjectAccess()
  const [role, setRole] = useState<MemberRole>('reader')
  return (
    <ConfirmDialog
      title={`Add yourself to ${project}?`}
      confirmLabel="Add me"
      onClose={onClose}
      onConfirm={async () => {
        await api.system.joinProject(project, { role })
        await Promise.all([refreshProjects(), reloadAccess()])
      }}
    >
      You will see everything in this private project. Its members see that you added yourself, and
      the audit log records it.
      <NativeSelect
        mt="md"
        label="Your role"
        value={role}
        data={MEMBER_ROLE_OPTIONS}
        onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
      />
    </ConfirmDialog>
  )
}
