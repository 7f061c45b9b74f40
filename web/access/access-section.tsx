import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { isNotFoundError } from '../api/api-error.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { AccessDialog } from './access-dialog.tsx'
import { formatNames, PROJECT_ACCESS_LABELS } from './access-labels.ts'
import { useProjectAccess, useCanManage, type ProjectAccessAndMembers } from './queries.ts'
import { ProjectShares } from '../sharing/project-shares.tsx'

/** Shows who may use the project. Owners can change it. */
export function AccessSection({ project }: { project: string }) {
  const query = useProjectAccess(project)
  const [isOpen, setOpen] = useState(false)
  // The list of transcripts already says that there is no such project.
  if (isNotFoundError(query.error)) return null
  return (
    <Stack gap="sm" component="section" aria-labelledby="project-access">
      <Title order={2} id="project-access">
        Access
      </Title>
      <QueryView query={query} label="the access settings">
        {(current) => (
          <>
            <Group justify="space-between" gap="sm">
              <Text size="sm" className="break-anywhere" flex="1 1 260px">
                <strong>{PROJECT_ACCESS_LABELS[current.access]}.</strong> {describe(current)}
              </Text>
              <ManageButton current={current} onClick={() => setOpen(true)} />
            </Group>
            <SharesForOwners project={project} current={current} />
            {isOpen && (
              <AccessDialog project={project} current={current} onClose={() => setOpen(false)} />
            )}
          </>
        )}
      </QueryView>
    </Stack>
  )
}

function SharesForOwners({ project, current }: AccessOfProject) {
  return useCanManage(current) ? <ProjectShares project={project} /> : null
}

interface AccessOfProject {
  project: string
  current: ProjectAccessAndMembers
}

interface ManageButtonProps {
  current: ProjectAccessAndMembers
  onClick: () => void
}

function ManageButton({ current, onClick }: ManageButtonProps) {
  const canManage = useCanManage(current)
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {canManage ? 'Manage access' : 'Show members'}
    </Button>
  )
}

function describe({ access, members }: ProjectAccessAndMembers): string {
  if (access === 'team') return 'Everyone who can sign in can read and change this project.'
  const names = members.map(({ name }) => name)
  return `Only its ${formatCountWithNoun(names.length, 'member')} can see it: ${formatNames(names)}.`
}
