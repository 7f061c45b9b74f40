import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi, useSignedInUser } from '../api/app-state.tsx'
import { ErrorBox, StatusMessage } from '../ui/feedback/feedback.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { useAction } from '../ui/forms/form.tsx'
import { useProjectShares } from '../sharing/queries.ts'
import { canRevokeShare } from '../sharing/share-list.tsx'
import { useReloadProjectAccess, type ProjectAccessAndMembers } from './queries.ts'

interface AccessSwitchProps {
  project: string
  current: ProjectAccessAndMembers
}

/** Makes a team project private, or opens a private one to the team, after a confirmation. */
export function AccessSwitch({ project, current: { access, members } }: AccessSwitchProps) {
  const api = useApi()
  const me = useSignedInUser()
  const navigate = useNavigate()
  const reload = useReloadProjectAccess()
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
      {change.error ? <ErrorBox error={change.error} /> : null}
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
