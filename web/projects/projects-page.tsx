import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { Stack, Group, Button } from '@mantine/core'
import { useState } from 'react'
import './projects.css'
import { PROJECT_ACCESS_LABELS } from '../access/access-labels.ts'
import type { ApiProject } from '../../src/http/shapes/projects.ts'
import { NewProjectDialog, WriteNewDocumentForm } from './new-document-form.tsx'
import { useRefreshOnDocumentEvents, useProjects } from './queries.ts'
import { type Column, DataTable, LoadMoreButton } from '../ui/tables/data-table.tsx'
import { BackLink, ButtonLink, TitleLink, Name, projectPage } from '../ui/links.tsx'
import { EmptyState, QueryView } from '../ui/feedback/feedback.tsx'
import { PageTitle } from '../ui/layout.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { TABLE_AS_CARDS_MEDIA_QUERY } from '../ui/breakpoints.ts'

const route = getRouteApi('/signed-in/projects')

const COLUMNS: [Column<ApiProject>, ...Column<ApiProject>[]] = [
  {
    header: 'Project',
    cell: ({ id, name }) => (
      <TitleLink {...projectPage(id)}>
        <Name>{name}</Name>
      </TitleLink>
    ),
  },
  {
    header: 'Transcripts',
    cell: ({ meetingCount }) => <Count count={meetingCount} noun="transcript" />,
    isShort: true,
    card: 'line',
  },
  {
    header: 'Documents',
    cell: ({ documentCount }) => <Count count={documentCount} noun="document" />,
    isShort: true,
    card: 'line',
  },
  { header: 'Access', cell: ({ access }) => PROJECT_ACCESS_LABELS[access], card: 'badge' },
]

/** A phone's card has no headings, so the number is shown with its noun there. */
function Count({ count, noun }: { count: number; noun: string }) {
  const isCard = useMediaQuery(TABLE_AS_CARDS_MEDIA_QUERY, false, {
    getInitialValueInEffect: false,
  })
  return isCard ? formatCountWithNoun(count, noun) : count.toLocaleString('en')
}

export function ProjectsPage() {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useProjects()
  const [isCreating, setCreating] = useState(false)
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
        <Group gap="xs">
          <Button variant="default" onClick={() => setCreating(true)}>
            New project
          </Button>
          <ButtonLink to="/projects" search={{ view: 'new' }} variant="default">
            New document
          </ButtonLink>
        </Group>
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
              renderDetail={({ id, name }) => (name === id ? null : id)}
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
      {isCreating && <NewProjectDialog onClose={() => setCreating(false)} />}
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
