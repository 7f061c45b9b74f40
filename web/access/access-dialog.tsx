import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Stack, Title, Text, Group, NativeSelect, Button, Divider, Box } from '@mantine/core'
import type { ApiAdminEntry, ApiProjectMember } from '../../src/http/shapes/project-access.ts'
import type { MemberRole } from '../../src/http/shapes/values.ts'
import {
  MEMBER_ROLE_DESCRIPTIONS,
  MEMBER_ROLE_LABELS,
  MEMBER_ROLE_OPTIONS,
} from './access-labels.ts'
import { type ProjectAccessAndMembers, useCanManage } from './queries.ts'
import { useApi, useSignedInUser, useReload } from '../api/use-api.tsx'
import { Dialog, ConfirmButton } from '../ui/dialogs.tsx'
import { Time } from '../ui/format/time.tsx'
import { Form, readFormText, useAction, useRequest, ActionButton } from '../ui/forms.tsx'
import { ErrorBox, StatusMessage } from '../ui/feedback/feedback.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { useProjectShares, canRevokeShare } from '../sharing/share-list.tsx'
import { Hint } from '../ui/text.tsx'
import { TextField } from '../ui/fields.tsx'

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
            <Hint>
              The roles Reader and Editor apply only while the project is private. While it is open
              to the team, everyone who can sign in can read and change it.
            </Hint>
          )}
          {Object.values(MEMBER_ROLE_DESCRIPTIONS).map((text) => (
            <Hint key={text}>{text}</Hint>
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
  // A new key empties the field after a person was added.
  const [addedCount, setAddedCount] = useState(0)
  const action = useRequest(
    async (api, values: FormData) => {
      await api.projects.setMember(project, {
        email: readFormText(values, 'email'),
        role: readFormText(values, 'role') as MemberRole,
      })
      setAddedCount((count) => count + 1)
    },
    ['projects', 'shares'],
  )
  return (
    <Form action={action}>
      <Group align="flex-end" gap="sm">
        <Box key={addedCount} flex="1 1 220px">
          <TextField
            name="email"
            type="email"
            label="Add a person"
            description="Email address of someone who can sign in here"
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

interface AccessSwitchProps {
  project: string
  current: ProjectAccessAndMembers
}

/** Makes a team project private, or opens a private one to the team, after a confirmation. */
function AccessSwitch({ project, current: { access, members } }: AccessSwitchProps) {
  const api = useApi()
  const me = useSignedInUser()
  const navigate = useNavigate()
  const reload = useReload('projects', 'shares')
  const [isAsking, setAsking] = useState(false)
  const [note, setNote] = useState('')
  const isTeam = access === 'team'
  const hidesFromMe =
    isTeam &&
    members.some(({ role }) => role === 'owner') &&
    !members.some(({ userId }) => userId === me.id)
  const label = isTeam ? 'Make private' : 'Open to the team'
  const change = useAction(async () => {
    const access = isTeam ? 'private' : 'team'
    const { endedShares } = await api.projects.setAccess(project, { access })
    // For a user who no longer sees the project, this page would only say that it does not exist.
    if (hidesFromMe) await navigate({ to: '/projects' })
    await reload()
    setNote(describeChange(isTeam, endedShares))
    setAsking(false)
  })
  return (
    <Stack gap="sm">
      <Text size="sm">
        {isTeam
          ? 'Team: everyone who can sign in can read and change the project.'
          : 'Private: only the members below can see the project. Administrators can add themselves, and service tokens can use every project. The audit log records both.'}
      </Text>
      {isAsking &&
        (isTeam ? (
          <PrivateConsequences project={project} hidesFromMe={hidesFromMe} />
        ) : (
          <TeamConsequences />
        ))}
      <ErrorBox error={change.error} />
      <Group gap="sm">
        <Button
          variant={isAsking ? 'filled' : 'default'}
          size="xs"
          loading={change.isRunning}
          onClick={() => (isAsking ? void change.run() : setAsking(true))}
        >
          {isAsking ? `Yes, ${label.toLowerCase()}` : label}
        </Button>
        {isAsking && (
          <Button variant="default" size="xs" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        )}
      </Group>
      <StatusMessage>{note}</StatusMessage>
    </Stack>
  )
}

function describeChange(wasTeam: boolean, endedShares: number): string {
  if (!wasTeam) return 'Everyone who can sign in can now use this project.'
  const ended = formatCountWithNoun(endedShares, 'share link')
  return `This project is now private.${endedShares > 0 ? ` ${ended} stopped working.` : ''}`
}

function TeamConsequences() {
  return (
    <Text size="sm">
      Everyone who can sign in will be able to read and change everything in it, including what was
      said while it was private.
    </Text>
  )
}

/** Explains what happens when a project becomes private, with the number of links that end. */
function PrivateConsequences({ project, hidesFromMe }: { project: string; hidesFromMe: boolean }) {
  const shares = useProjectShares(project).data?.shares
  const ending = shares?.filter(({ state }) => canRevokeShare(state)).length
  return (
    <Stack gap="xs">
      <Text size="sm">
        Only its members will be able to see it. Everyone else loses access immediately. If it has
        no owner yet, you become the owner.
      </Text>
      {hidesFromMe && (
        <Text size="sm" fw={600}>
          You are not a member, so you will lose access too. Ask an owner to add you first.
        </Text>
      )}
      {ending !== undefined && (
        <Text size="sm" fw={600}>
          {ending === 0
            ? 'It has no active share links.'
            : `${formatCountWithNoun(ending, 'share link')} will stop working.`}
        </Text>
      )}
      <Text size="sm">Callbacks keep going to the URLs that its meetings were started with.</Text>
    </Stack>
  )
}

interface MemberListProps {
  project: string
  members: ApiProjectMember[]
  canManage: boolean
}

/** The members of a project, and who added them. */
function MemberList({ project, members, canManage }: MemberListProps) {
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        Members
      </Title>
      {members.length === 0 ? (
        <Text size="sm">No members yet.</Text>
      ) : (
        <Stack component="ul" className="plain-list" aria-label="Members" gap="sm">
          {members.map((member) => (
            <MemberItem
              key={member.userId}
              project={project}
              member={member}
              addedBy={findAdder(members, member)}
              canManage={canManage}
            />
          ))}
        </Stack>
      )}
    </Stack>
  )
}

/** Who added a member or last changed the role. Null if that person is no longer a member, or for the first owner. */
function findAdder(members: ApiProjectMember[], { userId, addedBy }: ApiProjectMember) {
  if (addedBy?.startsWith('token:')) return 'an API token'
  if (addedBy === 'provisioning') return 'provisioning'
  if (addedBy === `user:${userId}`) return 'themselves'
  return members.find((other) => addedBy === `user:${other.userId}`)?.name ?? null
}

interface MemberItemProps {
  project: string
  member: ApiProjectMember
  addedBy: string | null
  canManage: boolean
}

function MemberItem({ project, member, addedBy, canManage }: MemberItemProps) {
  const { userId, name, email, role, groupRole, addedAt } = member
  const me = useSignedInUser()
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div className="break-anywhere">
          <Text size="sm" fw={600}>
            {name}
            {userId === me.id && ' (you)'}
          </Text>
          <Hint>
            {email} · added <Time at={addedAt} show="day" />
            {addedBy !== null && ` by ${addedBy}`}
            {groupRole !== null && ` · ${MEMBER_ROLE_LABELS[groupRole].toLowerCase()} by a group`}
          </Hint>
        </div>
        {canManage ? (
          <MemberControls project={project} member={member} isMe={userId === me.id} />
        ) : (
          <Text size="sm">{MEMBER_ROLE_LABELS[role]}</Text>
        )}
      </Group>
    </li>
  )
}

interface MemberControlsProps {
  project: string
  member: ApiProjectMember
  isMe: boolean
}

/** A button saves the role. In a select alone, the arrow keys would save every role that they pass. */
function MemberControls({ project, member: { userId, name, role }, isMe }: MemberControlsProps) {
  const api = useApi()
  const navigate = useNavigate()
  const reload = useReload('projects', 'shares')
  const [chosen, setChosen] = useState(role)
  const save = useRequest(
    (api) => api.projects.setMember(project, { userId, role: chosen }),
    ['projects', 'shares'],
  )
  const remove = async () => {
    await api.projects.removeMember(project, userId)
    if (isMe) await navigate({ to: '/projects' })
    await reload()
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <NativeSelect
          aria-label={`Role of ${name}`}
          size="xs"
          value={chosen}
          data={MEMBER_ROLE_OPTIONS}
          onChange={(event) => setChosen(event.currentTarget.value as MemberRole)}
        />
        {chosen !== role && (
          <ActionButton size="xs" aria-label={`Save the role of ${name}`} action={save}>
            Save
          </ActionButton>
        )}
        <ConfirmButton
          label="Remove"
          ariaLabel={`Remove ${name}`}
          question={
            isMe
              ? 'You will lose your role in this project. If it is private, you will no longer see it.'
              : `${name} will lose this role. If the project is private, they will no longer see it.`
          }
          confirmLabel={isMe ? 'Remove myself' : 'Remove member'}
          onConfirm={remove}
        />
      </Group>
      {isMe && chosen !== role && (
        <Text size="sm">You may not be able to change this back yourself.</Text>
      )}
      <ErrorBox error={save.error} />
    </Stack>
  )
}
