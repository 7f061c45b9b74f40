import { lazy, Suspense } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Text, Stack, Group } from '@mantine/core'
import type { ApiSavedMeetingsPage } from '../../src/http/shapes/projects.ts'
import { AccessSection } from '../access/access-section.tsx'
import { AskBox } from '../ask/ask-box.tsx'
import { type Column, DataTable, LoadMoreButton } from '../ui/tables/data-table.tsx'
import { ButtonLink, TextLink, TitleLink, Name, projectPage, meetingPage } from '../ui/links.tsx'
import { EmptyState, QueryView, LoadingIndicator } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { WriteNewDocumentForm } from './new-document-form.tsx'
import { useDocument, useSavedMeetings } from './queries.ts'
import { NotificationsSection } from './notifications/notifications-section.tsx'
import { TranscriptSettingsSection } from './transcript-settings-section.tsx'
import { RecapSettingsSection } from './recap-settings-section.tsx'
import { VocabularySection } from './vocabulary-section.tsx'
import { CitedMeeting } from '../meetings/cited-lines.tsx'
import { ActionItem } from '../actions/action-item.tsx'
import { useActionList } from '../actions/queries.ts'
import '../decisions/decisions.css'
import { DecisionItem, listSpeakers } from '../decisions/decision-item.tsx'
import { useDecisionList } from '../decisions/queries.ts'
import { Section } from '../ui/layout.tsx'

const RenderedMarkdownDocument = lazy(async () => ({
  default: (await import('./document/rendered-markdown-document.tsx')).RenderedMarkdownDocument,
}))

type Row = ApiSavedMeetingsPage['meetings'][number] & { id: string; project: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Transcript',
    cell: ({ project, filename, title }) => (
      <TitleLink {...projectPage(project, `meetings/${filename}`)}>
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
        <TextLink {...meetingPage(meetingId)} size="sm">
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
        onCancel={() => void navigate(projectPage(project))}
      />
    )
  }
  return (
    <Stack gap="xl">
      <Group>
        <ButtonLink {...projectPage(project)} search={{ view: 'new' }} variant="default" size="xs">
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
      <VocabularySection project={project} />
      <TranscriptSettingsSection project={project} />
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
    <Section id="transcripts" title="Transcripts">
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
    </Section>
  )
}

const MAX_SHOWN_ACTIONS = 5

/** The open action items of a project that are due first. Hidden if there are none. */
function ProjectActions({ project }: { project: string }) {
  const { data } = useActionList({ project })
  const actions = (data?.pages ?? []).flatMap((page) => page.actions)
  if (actions.length === 0) return null
  const ownerNames = [...new Set(actions.flatMap(({ owner }) => owner ?? []))].toSorted()
  return (
    <Section
      id="actions"
      title="Open action items"
      more={
        <TextLink to="/actions" search={{ project }} size="sm">
          {actions.length > MAX_SHOWN_ACTIONS ? 'All action items' : 'Open the list'}
        </TextLink>
      }
    >
      <ul className="plain-list action-list">
        {actions.slice(0, MAX_SHOWN_ACTIONS).map((action) => (
          <ActionItem
            key={action.actionId}
            action={action}
            project={project}
            ownerNames={ownerNames}
            citation={<CitedMeeting {...action} />}
          />
        ))}
      </ul>
    </Section>
  )
}

const MAX_SHOWN_DECISIONS = 5

/** The newest decisions of a project. Hidden if there are none. */
function ProjectDecisions({ project }: { project: string }) {
  const { data } = useDecisionList({ project })
  const decisions = (data?.pages ?? []).flatMap((page) => page.decisions)
  if (decisions.length === 0) return null
  return (
    <Section
      id="decisions"
      title="Decisions"
      more={
        <TextLink to="/decisions" search={{ project }} size="sm">
          {decisions.length > MAX_SHOWN_DECISIONS ? 'All decisions' : 'Open the list'}
        </TextLink>
      }
    >
      <ul className="plain-list decision-list" tabIndex={-1}>
        {decisions.slice(0, MAX_SHOWN_DECISIONS).map((decision) => (
          <DecisionItem
            key={decision.id}
            decision={decision}
            names={listSpeakers(decisions)}
            namesMeeting
          />
        ))}
      </ul>
    </Section>
  )
}
