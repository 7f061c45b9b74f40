import { Group, Stack, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { ApiSavedMeetingsPage } from '../../src/http/shapes/projects.ts'
import { ProjectDecisions } from '../decisions/project-decisions.tsx'
import { ProjectActions } from '../actions/project-actions.tsx'
import { AccessSection } from '../access/access-section.tsx'
import { AskBox } from '../ask/ask-box.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { ButtonLink, TextLink, TitleLink } from '../ui/links.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryView, LoadingIndicator } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { LoadMoreButton } from '../ui/tables/pages.tsx'
import { WriteNewDocumentForm } from './new-document-form.tsx'
import { useDocument, useSavedMeetings } from './queries.ts'
import { NotificationsSection } from './notifications/notifications-section.tsx'
import { RecapSettingsSection } from './recap-settings-section.tsx'
import { Name } from '../ui/format/name.tsx'

const RenderedMarkdownDocument = lazy(async () => ({
  default: (await import('./document/rendered-markdown-document.tsx')).RenderedMarkdownDocument,
}))

type Row = ApiSavedMeetingsPage['meetings'][number] & { id: string; project: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Transcript',
    cell: ({ project, filename, title }) => (
      <TitleLink
        to="/projects/$projectId/$"
        params={{ projectId: project, _splat: `meetings/${filename}` }}
      >
        <Name>{title}</Name>
      </TitleLink>
    ),
  },
  {
    header: 'Date',
    cell: ({ date }) => <Time at={date} show="minute" />,
    isShort: true,
    card: 'line',
  },
  {
    header: 'Participants',
    cell: ({ participants }) => (
      <Text span size="sm" className="break-anywhere" lineClamp={2}>
        {participants.join(', ') || '–'}
      </Text>
    ),
    priority: 'middle',
    card: 'line',
  },
  {
    header: 'Meeting',
    cell: ({ meetingId, status }) =>
      meetingId === null ? (
        '–'
      ) : (
        <TextLink to="/meetings/$meetingId" params={{ meetingId }} size="sm">
          {status === 'in_progress' ? 'Live' : 'Open'}
        </TextLink>
      ),
    isShort: true,
    card: 'badge',
  },
]

/** The README and the transcripts of a project, newest first. */
export function ProjectOverview({
  project,
  isAddingDocument,
}: {
  project: string
  isAddingDocument: boolean
}) {
  const navigate = useNavigate()
  if (isAddingDocument) {
    return (
      <WriteNewDocumentForm
        project={project}
        onCancel={() =>
          void navigate({
            to: '/projects/$projectId/$',
            params: { projectId: project, _splat: '' },
          })
        }
      />
    )
  }
  return (
    <Stack gap="xl">
      <Group>
        <ButtonLink
          to="/projects/$projectId/$"
          params={{ projectId: project, _splat: '' }}
          search={{ view: 'new' }}
          variant="default"
          size="xs"
        >
          New document
        </ButtonLink>
        <ButtonLink to="/search" search={{ project }} variant="default" size="xs">
          Search this project
        </ButtonLink>
      </Group>
      <AskBox key={project} label="Ask about this project" scope={{ project }} />
      <ReadMe project={project} />
      <ProjectDecisions project={project} />
      <ProjectActions project={project} />
      <Transcripts project={project} />
      <RecapSettingsSection project={project} />
      <NotificationsSection project={project} />
      <AccessSection project={project} />
    </Stack>
  )
}

/** The project's README.md, if it has one. */
function ReadMe({ project }: { project: string }) {
  const documentRef = { project, path: 'README.md' }
  const { data } = useDocument(documentRef, true)
  if (!data?.text) return null
  return (
    <Suspense fallback={<LoadingIndicator label="Preparing the document" />}>
      <RenderedMarkdownDocument documentRef={documentRef} text={data.text} targetLine={null} />
    </Suspense>
  )
}

function Transcripts({ project }: { project: string }) {
  const query = useSavedMeetings(project)
  return (
    <Stack gap="sm" component="section" aria-labelledby="transcripts">
      <Title order={2} id="transcripts">
        Transcripts
      </Title>
      <QueryView query={query} label="the transcripts">
        {({ pages }) => {
          const rows = pages
            .flatMap(({ meetings }) => meetings)
            .map((meeting) => ({ ...meeting, id: meeting.filename, project }))
          if (rows.length === 0) return <EmptyState drawing="folder" title="No transcripts yet" />
          return (
            <DataTable
              caption="Transcripts, newest first"
              rows={rows}
              columns={COLUMNS}
              rowMenu={({ id }) => ({ id, rowName: id })}
            />
          )
        }}
      </QueryView>
      <LoadMoreButton query={query}>Load older transcripts</LoadMoreButton>
    </Stack>
  )
}
