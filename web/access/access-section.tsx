import { Group, Text, Button } from '@mantine/core'
import { useState } from 'react'
import { isNotFoundError } from '../api/api-error.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { AccessDialog } from './access-dialog.tsx'
import { formatNames, PROJECT_ACCESS_LABELS } from './access-labels.ts'
import { type ProjectAccessAndMembers, useProjectAccess, useCanManage } from './queries.ts'
import type { ApiShare } from '../../src/http/shapes/shares.ts'
import { TextLink, meetingPage, projectPage } from '../ui/links.tsx'
import { useProjectShares, ShareList } from '../sharing/share-list.tsx'
import { Section } from '../ui/layout.tsx'

/** Shows who may use the project. Owners can change it. */
export function AccessSection({ project }: { project: string }) {
  const query = useProjectAccess(project)
  const [isOpen, setOpen] = useState(false)
  // The list of transcripts already says that there is no such project.
  if (isNotFoundError(query.error)) return null
  return (
    <Section id="project-access" title="Access">
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
    </Section>
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

/** All share links of a project, for its owners, including links to removed documents. */
function ProjectShares({ project }: { project: string }) {
  const query = useProjectShares(project)
  return (
    <Section id="project-shares" title="Share links">
      <QueryView query={query} label="the links">
        {({ shares, isOn }) => (
          <>
            {!isOn && (
              <Text size="sm">Share links are turned off, so none of these links work.</Text>
            )}
            {shares.length === 0 ? (
              <Text size="sm">
                No share links yet. Use the Share button of a meeting or document to create a link
                for people without an account.
              </Text>
            ) : (
              <ShareList
                owner={{ project }}
                shares={shares}
                renderSubject={(share) => <SharedThing project={project} share={share} />}
              />
            )}
          </>
        )}
      </QueryView>
    </Section>
  )
}

function SharedThing({ project, share }: { project: string; share: ApiShare }) {
  const { meetingId, title, path, state } = share
  if (meetingId !== null && title === null) return <Text size="sm">A meeting that was moved</Text>
  if (meetingId !== null)
    return (
      <TextLink {...meetingPage(meetingId)} size="sm">
        {title}
      </TextLink>
    )
  if (state === 'document_removed') return <Text size="sm">{path}</Text>
  return (
    <TextLink {...projectPage(project, path ?? '')} size="sm">
      {path}
    </TextLink>
  )
}
