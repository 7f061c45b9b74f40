import './projects.css'
import { Group, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { PROJECT_ACCESS_LABELS } from '../access/access-labels.ts'
import type { WireProject } from '../../src/http/shapes/projects.ts'
import { WriteNewDocumentForm } from './new-document-form.tsx'
import { useRefreshOnDocumentEvents, useProjects } from './queries.ts'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { BackLink, ButtonLink, TitleLink } from '../ui/links.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { LoadMoreButton } from '../ui/tables/load-more-button.tsx'
import { Name } from '../ui/format/name.tsx'

const route = getRouteApi('/signed-in/projects')

const COLUMNS: [Column<WireProject>, ...Column<WireProject>[]] = [
  {
    header: 'Project',
    cell: ({ id, name }) => (
      <TitleLink to="/projects/$projectId/$" params={{ projectId: id, _splat: '' }}>
        <Name>{name}</Name>
      </TitleLink>
    ),
  },
  {
    header: 'Folder',
    cell: ({ id }) => <span className="break-anywhere">{id}</span>,
    priority: 'middle',
  },
  { header: 'Access', cell: ({ access }) => PROJECT_ACCESS_LABELS[access], card: 'line' },
  {
    header: 'Transcripts',
    cell: ({ hasMeetings }) => (hasMeetings ? 'Yes' : 'None yet'),
    isShort: true,
  },
]

export function ProjectsPage() {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useProjects()
  useRefreshOnDocumentEvents()
  if (view === 'new') {
    return (
      <Stack gap="lg" maw={900}>
        <BackLink to="/projects">Projects</BackLink>
        <PageTitle>New document</PageTitle>
        <WriteNewDocumentForm onCancel={() => void navigate({ search: { view: undefined } })} />
      </Stack>
    )
  }
  return (
    <Stack gap="lg" maw={900}>
      <Group justify="space-between">
        <PageTitle>Projects</PageTitle>
        <ButtonLink to="/projects" search={{ view: 'new' }} variant="default">
          New document
        </ButtonLink>
      </Group>
      <QueryView query={query} label="the projects">
        {({ pages }) => {
          const projects = pages.flatMap((page) => page.projects)
          if (projects.length === 0) return <NoProjects />
          return (
            <DataTable
              caption="Projects"
              rows={projects}
              columns={COLUMNS}
              rowMenu={({ id, name }) => ({
                id,
                rowName: name,
                curlApiPath: `/projects/${encodeURIComponent(id)}/meetings`,
              })}
            />
          )
        }}
      </QueryView>
      <LoadMoreButton query={query}>Load more projects</LoadMoreButton>
    </Stack>
  )
}

function NoProjects() {
  return (
    <EmptyState
      drawing="folder"
      title="No projects yet"
      action={<ButtonLink to="/meetings">Start a meeting</ButtonLink>}
    >
      A project is created with its first transcript or document.
    </EmptyState>
  )
}
