import { useState } from 'react'
import { Text, Stack, NativeSelect } from '@mantine/core'
import type { ApiProjectSummaries } from '../../src/http/shapes/project-access.ts'
import type { MemberRole } from '../../src/http/shapes/values.ts'
import { PROJECT_ACCESS_LABELS, MEMBER_ROLE_OPTIONS } from '../access/access-labels.ts'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { TitleLink, projectPage } from '../ui/links.tsx'
import { type Column, DataTable, RowButton } from '../ui/tables/data-table.tsx'
import { useReload, useApiQuery } from '../api/use-api.tsx'

type ProjectSummary = ApiProjectSummaries['projects'][number]

const COLUMNS: [Column<ProjectSummary>, ...Column<ProjectSummary>[]] = [
  { header: 'Project', cell: (project) => <ProjectName project={project} /> },
  { header: 'Access', cell: ({ access }) => PROJECT_ACCESS_LABELS[access] },
  {
    header: 'Owners',
    cell: ({ owners }) => (
      <Text span size="sm" className="break-anywhere" lineClamp={2}>
        {owners.join(', ') || '–'}
      </Text>
    ),
  },
  { header: 'Members', cell: ({ memberCount }) => memberCount },
]

/** All projects by name. The contents of a private project are hidden from admins who are not members. */
export function ProjectsTab() {
  const query = useApiQuery(['project-summaries'], (api) => api.system.projects())
  const [joined, setJoined] = useState<string | null>(null)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Projects"
        description="All projects. To see what is in a private project, add yourself to it. Its members see that you did, and the audit log records it."
      />
      <QueryView query={query} label="the projects">
        {({ projects }) =>
          projects.length === 0 ? (
            <Text>No projects yet.</Text>
          ) : (
            <DataTable
              caption="Projects"
              rows={projects}
              columns={COLUMNS}
              rowMenu={({ id }) => ({ id, rowName: id })}
              renderActions={(project) =>
                isHidden(project) && (
                  <RowButton
                    label="Add me"
                    ariaLabel={`Add me to ${project.id}`}
                    onClick={() => setJoined(project.id)}
                  />
                )
              }
            />
          )
        }
      </QueryView>
      {joined !== null && <AddMeDialog project={joined} onClose={() => setJoined(null)} />}
    </Stack>
  )
}

function isHidden({ access, isMember }: ProjectSummary): boolean {
  return access === 'private' && !isMember
}

function ProjectName({ project }: { project: ProjectSummary }) {
  const { id } = project
  if (isHidden(project)) return <span className="break-anywhere">{id}</span>
  return <TitleLink {...projectPage(id)}>{id}</TitleLink>
}

/** Adds the signed-in admin to a private project. */
function AddMeDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const refreshProjects = useReload('project-summaries')
  const reloadAccess = useReload('projects', 'shares')
  const [role, setRole] = useState<MemberRole>('reader')
  return (
    <ConfirmDialog
      title={`Add yourself to ${project}?`}
      confirmLabel="Add me"
      onClose={onClose}
      onConfirm={async (api) => {
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
