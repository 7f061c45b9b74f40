import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiProjectMember } from '../../src/http/shapes/project-access.ts'
import type { MemberRole } from '../../src/http/shapes/values.ts'
import { useApi, useSignedInUser } from '../api/app-state.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { ConfirmButton } from '../ui/forms/confirm-button.tsx'
import { useAction } from '../ui/forms/form.tsx'
import { MEMBER_ROLE_LABELS, MEMBER_ROLE_OPTIONS } from './access-labels.ts'
import { useReloadProjectAccess } from './queries.ts'

interface MemberListProps {
  project: string
  members: ApiProjectMember[]
  canManage: boolean
}

/** The members of a project, and who added them. */
export function MemberList({ project, members, canManage }: MemberListProps) {
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
  const { userId, name, email, role, addedAt } = member
  const me = useSignedInUser()
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div className="break-anywhere">
          <Text size="sm" fw={600}>
            {name}
            {userId === me.id && ' (you)'}
          </Text>
          <Text size="sm" c="dimmed">
            {email} · added <Time at={addedAt} show="day" />
            {addedBy !== null && ` by ${addedBy}`}
          </Text>
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
  const reload = useReloadProjectAccess()
  const [chosen, setChosen] = useState(role)
  const save = useAction(async () => {
    await api.projects.setMember(project, { userId, role: chosen })
    await reload()
  })
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
          <Button
            size="xs"
            aria-label={`Save the role of ${name}`}
            loading={save.isRunning}
            onClick={() => void save.run()}
          >
            Save
          </Button>
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
      {save.error ? <ErrorBox error={save.error} /> : null}
    </Stack>
  )
}
