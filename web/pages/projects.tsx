import '../projects/projects.css'
import { Group, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { WireProject } from '../../src/http/shapes/projects.ts'
import { NewDocument } from '../projects/new-document.tsx'
import { useFreshProjects, useProjects } from '../projects/queries.ts'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { MoreButton } from '../ui/more-button.tsx'

const route = getRouteApi('/inside/projects')

const COLUMNS: [Column<WireProject>, ...Column<WireProject>[]] = [
  {
    head: 'Project',
    cell: ({ id, name }) => (
      <TextLink to="/projects/$projectId/$" params={{ projectId: id, _splat: '' }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { head: 'Folder', cell: ({ id }) => <span className="break-anywhere">{id}</span> },
  { head: 'Transcripts', cell: ({ hasMeetings }) => (hasMeetings ? 'yes' : 'none yet') },
]

export function ProjectsPage() {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useProjects()
  useFreshProjects()
  if (view === 'new') {
    return (
      <Stack gap="lg" maw={900}>
        <TextLink to="/projects" size="sm">
          ← Projects
        </TextLink>
        <PageTitle>New document</PageTitle>
        <NewDocument onCancel={() => void navigate({ search: { view: undefined } })} />
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
      <Loaded query={query} what="the projects">
        {({ pages }) => {
          const projects = pages.flatMap((page) => page.projects)
          if (projects.length === 0) return <Nothing />
          return (
            <DataTable
              caption="Projects"
              rows={projects}
              columns={COLUMNS}
              menuOf={({ id, name }) => ({
                id,
                name,
                path: `/projects/${encodeURIComponent(id)}/meetings`,
              })}
            />
          )
        }}
      </Loaded>
      <MoreButton of={query}>Show more projects</MoreButton>
    </Stack>
  )
}

function Nothing() {
  return (
    <Text>
      Projects appear when the first transcript is saved.{' '}
      <TextLink to="/meetings">Start a meeting</TextLink>, or file a document of your own.
    </Text>
  )
}
