import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireProjectSummaries } from '../../../src/http/shapes/project-access.ts'
import { PROJECT_ACCESS_LABELS } from '../../access/access-labels.ts'
import { QueryView } from '../../ui/feedback/query-view.tsx'
import { SectionHeader } from '../../ui/layout/section-header.tsx'
import { TitleLink } from '../../ui/links.tsx'
import { DataTable, type Column } from '../../ui/tables/data-table.tsx'
import { RowButton } from '../../ui/tables/row-button.tsx'
import { useProjectSummaries } from '../queries.ts'
import { AddMeDialog } from './add-me-dialog.tsx'

type ProjectSummary = WireProjectSummaries['projects'][number]

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
  const query = useProjectSummaries()
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
  return (
    <TitleLink to="/projects/$projectId/$" params={{ projectId: id, _splat: '' }}>
      {id}
    </TitleLink>
  )
}
