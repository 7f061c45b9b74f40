import { Divider, Stack, Text, Title } from '@mantine/core'
import type { WireAdminEntry } from '../../src/http/shapes/project-access.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { AccessSwitch } from './access-switch.tsx'
import { AddMemberForm } from './add-member-form.tsx'
import { MEMBER_ROLE_DESCRIPTIONS, MEMBER_ROLE_LABELS } from './access-labels.ts'
import { Time } from '../ui/format/time.tsx'
import { MemberList } from './member-list.tsx'
import type { ProjectAccessAndMembers } from './queries.ts'
import { useCanManage } from './use-project-rights.ts'

interface AccessDialogProps {
  project: string
  current: ProjectAccessAndMembers
  onClose: () => void
}

/** A project's access and members. Only owners see the controls that change them. */
export function AccessDialog({ project, current, onClose }: AccessDialogProps) {
  const canManage = useCanManage(current)
  return (
    <Dialog title={`Access to ${project}`} size="lg" onClose={onClose}>
      <Stack gap="lg">
        {canManage && (
          <>
            <AccessSwitch project={project} current={current} />
            <Divider />
          </>
        )}
        <MemberList project={project} members={current.members} canManage={canManage} />
        {canManage && <AddMemberForm project={project} />}
        <AdminEntries entries={current.adminEntries} />
        <Stack gap={2}>
          {current.access === 'team' && (
            <Text size="sm" c="dimmed">
              The roles Reader and Editor apply only while the project is private. While it is open
              to the team, everyone who can sign in can read and change it.
            </Text>
          )}
          {Object.values(MEMBER_ROLE_DESCRIPTIONS).map((text) => (
            <Text key={text} size="sm" c="dimmed">
              {text}
            </Text>
          ))}
        </Stack>
      </Stack>
    </Dialog>
  )
}

/** Admins can add themselves to a private project. Its owners see that here, even after the admins left again. */
function AdminEntries({ entries }: { entries: WireAdminEntry[] }) {
  if (entries.length === 0) return null
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Administrators who added themselves
      </Title>
      <Stack
        component="ul"
        className="plain-list"
        aria-label="Administrators who added themselves"
        gap={2}
      >
        {entries.map(({ userName, role, at }) => (
          <Text component="li" size="sm" key={`${userName} ${at}`} className="break-anywhere">
            {userName}, {MEMBER_ROLE_LABELS[role].toLowerCase()}, <Time at={at} show="minute" />
          </Text>
        ))}
      </Stack>
    </Stack>
  )
}
