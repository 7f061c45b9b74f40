import { Divider, Stack, Text, Title, Box, Button, Group, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { ApiAdminEntry } from '../../src/http/shapes/project-access.ts'
import type { MemberRole } from '../../src/http/shapes/values.ts'
import {
  MEMBER_ROLE_DESCRIPTIONS,
  MEMBER_ROLE_LABELS,
  MEMBER_ROLE_OPTIONS,
} from './access-labels.ts'
import { AccessSwitch } from './access-switch.tsx'
import { MemberList } from './member-list.tsx'
import { useReloadProjectAccess, useCanManage, type ProjectAccessAndMembers } from './queries.ts'
import { useApi } from '../api/app-state.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { Time } from '../ui/format/time.tsx'
import { TextField, Form, readFormText, useAction } from '../ui/forms/form.tsx'

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
function AdminEntries({ entries }: { entries: ApiAdminEntry[] }) {
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

/** Adds a person of this instance to a project by their email address. */
function AddMemberForm({ project }: { project: string }) {
  const api = useApi()
  const reload = useReloadProjectAccess()
  // A new key empties the field after a person was added.
  const [addedCount, setAddedCount] = useState(0)
  const action = useAction(async (values: FormData) => {
    await api.projects.setMember(project, {
      email: readFormText(values, 'email'),
      role: readFormText(values, 'role') as MemberRole,
    })
    setAddedCount((count) => count + 1)
    await reload()
  })
  return (
    <Form action={action}>
      <Group align="flex-end" gap="sm">
        <Box key={addedCount} flex="1 1 220px">
          <TextField
            name="email"
            type="email"
            label="Add a person"
            description="Email address of someone who can sign in here"
            autoComplete="off"
            maxLength={254}
          />
        </Box>
        <NativeSelect name="role" label="Role" defaultValue="reader" data={MEMBER_ROLE_OPTIONS} />
        <Button type="submit" loading={action.isRunning}>
          Add
        </Button>
      </Group>
    </Form>
  )
}
