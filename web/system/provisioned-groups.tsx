import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProvisionedGroup } from '../../src/http/shapes/provisioning.ts'
import { GROUP_ROLES, type GroupRole } from '../../src/http/shapes/values.ts'
import { MEMBER_ROLE_DESCRIPTIONS, MEMBER_ROLE_LABELS } from '../access/access-labels.ts'
import { useApiQuery } from '../api/use-api.tsx'
import { ConfirmButton, Dialog } from '../ui/dialogs.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { SelectField, SuggestingField, toOptions } from '../ui/fields.tsx'
import {
  ActionButtonWithError,
  readFormText,
  SettingsForm,
  useFieldError,
  useRequest,
} from '../ui/forms.tsx'
import { type Column, DataTable, RowButton } from '../ui/tables/data-table.tsx'
import { Hint } from '../ui/text.tsx'
import { REFRESH_MS } from './queries.ts'

/** With fewer groups, the list needs no search. */
const MIN_SEARCHED_GROUPS = 10
const TYPING_PAUSE_MS = 200
const RELOADS = ['provisioning', 'projects', 'project-summaries'] as const

const COLUMNS: [Column<ApiProvisionedGroup>, ...Column<ApiProvisionedGroup>[]] = [
  { header: 'Group', cell: ({ displayName }) => <bdi>{displayName}</bdi> },
  { header: 'Members', cell: ({ memberCount }) => memberCount.toLocaleString('en') },
  { header: 'Roles in projects', cell: ({ roles }) => describeRoles(roles) },
]

function describeRoles(roles: ApiProvisionedGroup['roles']): string {
  const texts = roles.map(({ project, role }) => `${project}: ${nameOf(role)}`)
  return texts.join(', ') || 'none'
}

const nameOf = (role: GroupRole) => MEMBER_ROLE_LABELS[role].toLowerCase()

/** The groups of the identity provider, and what their members may do in projects. */
export function ProvisionedGroups() {
  const [search, setSearch] = useState('')
  const [searched] = useDebouncedValue(search.trim(), TYPING_PAUSE_MS)
  const [selected, setSelected] = useState<string | null>(null)
  const query = useApiQuery(
    ['provisioning', 'groups', searched],
    (api) => api.provisioning.groups(searched === '' ? {} : { search: searched }),
    { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
  )
  const hasSearch = search !== '' || (query.data?.total ?? 0) > MIN_SEARCHED_GROUPS
  const open = query.data?.groups.find(({ id }) => id === selected)
  return (
    <Stack gap="md" component="section" aria-labelledby="provisioned-groups">
      <div>
        <Title order={3} id="provisioned-groups">
          Groups
        </Title>
        <Hint maw={560} mt={4}>
          The identity provider decides who is in a group, and you decide what its members may do.
          Roles that people gave by hand stay.
        </Hint>
      </div>
      {hasSearch && (
        <TextInput
          label="Search groups"
          maw={360}
          maxLength={200}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <QueryView query={query} label="the groups">
        {({ groups, total }) =>
          groups.length === 0 ? (
            <Text>
              {searched === ''
                ? 'No groups yet. They appear when the identity provider sends them.'
                : 'No group has this text in its name.'}
            </Text>
          ) : (
            <>
              <GroupTable groups={groups} onSelect={setSelected} />
              {total > groups.length && (
                <Text size="sm">
                  The first {groups.length} of {total.toLocaleString('en')} groups. Search for the
                  others.
                </Text>
              )}
            </>
          )
        }
      </QueryView>
      {open && <RolesDialog group={open} onClose={() => setSelected(null)} />}
    </Stack>
  )
}

interface GroupTableProps {
  groups: ApiProvisionedGroup[]
  onSelect: (id: string) => void
}

function GroupTable({ groups, onSelect }: GroupTableProps) {
  return (
    <DataTable
      caption="Provisioned groups"
      rows={groups}
      columns={COLUMNS}
      renderActions={({ id, displayName }) => (
        <RowButton
          label="Roles"
          ariaLabel={`Roles of ${displayName}`}
          onClick={() => onSelect(id)}
        />
      )}
    />
  )
}

interface RolesDialogProps {
  group: ApiProvisionedGroup
  onClose: () => void
}

function RolesDialog({ group, onClose }: RolesDialogProps) {
  const { displayName, roles } = group
  return (
    <Dialog title={`Roles of ${displayName}`} size="lg" onClose={onClose}>
      <Stack gap="lg">
        {roles.length === 0 ? (
          <Text>This group has no role in a project yet.</Text>
        ) : (
          <Stack component="ul" className="plain-list" aria-label="Roles" gap="sm">
            {roles.map(({ project, role }) => (
              <RoleItem key={project} groupId={group.id} project={project} role={role} />
            ))}
          </Stack>
        )}
        <AddRoleForm group={group} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface RoleItemProps {
  groupId: string
  project: string
  role: GroupRole
}

function RoleItem({ groupId, project, role }: RoleItemProps) {
  const other: GroupRole = role === 'reader' ? 'editor' : 'reader'
  const change = useRequest(
    (api) => api.provisioning.saveGroupsRole(groupId, { project, role: other }),
    RELOADS,
  )
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Text size="sm" className="break-anywhere">
        <b>{project}</b>: {nameOf(role)}
      </Text>
      <Group gap="xs" align="flex-start">
        <ActionButtonWithError
          variant="default"
          size="xs"
          aria-label={`Make ${nameOf(other)} of ${project}`}
          action={change}
        >
          Make {nameOf(other)}
        </ActionButtonWithError>
        <ConfirmButton
          label="Remove"
          ariaLabel={`Remove the role in ${project}`}
          question="Members whom nobody added by hand lose this role. If the project is private, they no longer see it."
          confirmLabel="Remove role"
          onConfirm={(api) => api.provisioning.saveGroupsRole(groupId, { project, role: null })}
          reloads={RELOADS}
        />
      </Group>
    </Group>
  )
}

/** Gives the group a role in one more project. The new role appears in the list above. */
function AddRoleForm({ group }: { group: ApiProvisionedGroup }) {
  const [project, setProject] = useState('')
  const options = toOptions(MEMBER_ROLE_DESCRIPTIONS, GROUP_ROLES)
  return (
    <SettingsForm
      submitLabel="Add role"
      savedText="Added."
      reloads={RELOADS}
      save={async (api, values) => {
        const role = readFormText(values, 'role') as GroupRole
        await api.provisioning.saveGroupsRole(group.id, { project: project.trim(), role })
        setProject('')
      }}
    >
      <ProjectField project={project} onChange={setProject} />
      <SelectField name="role" label="Role" data={options} />
    </SettingsForm>
  )
}

interface ProjectFieldProps {
  project: string
  onChange: (project: string) => void
}

function ProjectField({ project, onChange }: ProjectFieldProps) {
  const { data } = useApiQuery(['project-summaries'], (api) => api.system.projects())
  const error = useFieldError('project')
  return (
    <SuggestingField
      name="project"
      label="Project"
      autoComplete="off"
      maxLength={64}
      required
      withAsterisk={false}
      value={project}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      suggestions={(data?.projects ?? []).map(({ id }) => ({ value: id, label: id }))}
    />
  )
}
