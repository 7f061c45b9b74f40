import type { ReactNode } from 'react'
import { Stack, Text, Title, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiBrief } from '../../src/http/shapes/brief.ts'
import { DueDate } from '../actions/due-date.tsx'
import { useApi } from '../api/use-api.tsx'
import { CitedMeeting } from '../meetings/cited-lines.tsx'
import { documentPagePath } from '../projects/document-ref.ts'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { Name, TextLink, meetingPage } from '../ui/links.tsx'
import { Time } from '../ui/format/time.tsx'

/** What to know before an upcoming meeting. */
export function MeetingBrief({ upcomingId }: { upcomingId: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['upcoming', upcomingId, 'brief'],
    queryFn: () => api.upcoming.brief(upcomingId),
  })
  return (
    <div className="upcoming-brief" id={`brief-${upcomingId}`}>
      <QueryView query={query} label="the brief">
        {(brief) => <BriefSections brief={brief} />}
      </QueryView>
    </div>
  )
}

function BriefSections({ brief }: { brief: ApiBrief }) {
  const { people, meetings, decisions, actions, openQuestions, documents } = brief
  const byId = new Map(meetings.map((meeting) => [meeting.meetingId, meeting]))
  const listStatements = (statements: readonly BriefStatement[]) =>
    statements.map((statement) => (
      <Statement
        key={`${statement.meetingId} ${statement.text}`}
        statement={statement}
        meeting={byId.get(statement.meetingId)}
      />
    ))
  return (
    <Stack gap="md">
      {meetings.length === 0 && (
        <Text size="sm">
          No earlier meeting of this series or with the same people was recorded, as far as you can
          read.
        </Text>
      )}
      <Section title="Earlier meetings">
        {meetings.map((meeting) => (
          <EarlierMeeting key={meeting.meetingId} meeting={meeting} />
        ))}
      </Section>
      <Section title="Still to do">{listStatements(actions)}</Section>
      <Section title="Open questions">{listStatements(openQuestions)}</Section>
      <Section title="Decided before">{listStatements(decisions)}</Section>
      <Section title="Documents">
        {documents.map((document) => (
          <li key={document.path} className="break-anywhere">
            <Anchor href={documentPagePath(document)} size="sm">
              <Name>{document.title}</Name>
            </Anchor>
          </li>
        ))}
      </Section>
      {people.length > 0 && (
        <Text size="sm" className="break-anywhere">
          Invited: {people.map(({ name, address }) => name ?? address).join(', ')}
        </Text>
      )}
    </Stack>
  )
}

function Section({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title}>
      <Title order={3} size="sm">
        {title}
      </Title>
      <ul className="plain-list brief-list">{children}</ul>
    </section>
  )
}

function EarlierMeeting({ meeting }: { meeting: ApiBrief['meetings'][number] }) {
  const { meetingId, title, startedAt, relation, gist } = meeting
  return (
    <li className="break-anywhere">
      <TextLink {...meetingPage(meetingId)} size="sm">
        <Name>{title}</Name>
      </TextLink>
      <div className="upcoming-facts">
        <span>
          <Time at={startedAt} show="day" />
        </span>
        {relation === 'people' && <span>With the same people</span>}
        {gist !== null && (
          <span>
            <bdi>{gist}</bdi>
          </span>
        )}
      </div>
    </li>
  )
}

type BriefStatement = ApiBrief['decisions'][number] | ApiBrief['actions'][number]

interface StatementProps {
  statement: BriefStatement
  meeting: ApiBrief['meetings'][number] | undefined
}

/** A statement with its person, due date, and a link to the line of the meeting in which it was said. */
function Statement({ statement, meeting }: StatementProps) {
  const { text, meetingId, segmentNumbers } = statement
  const person = 'owner' in statement ? statement.owner : statement.speaker
  const dueDate = 'dueDate' in statement ? statement.dueDate : null
  return (
    <li className="break-anywhere">
      <Text size="sm" component="bdi">
        {text}
      </Text>
      <div className="upcoming-facts">
        {person !== null && person !== '' && (
          <span>
            <bdi>{person}</bdi>
          </span>
        )}
        {dueDate !== null && <DueDate action={{ dueDate, dueText: null }} isOpen />}
        {meeting !== undefined && (
          <CitedMeeting
            text={text}
            segmentNumbers={segmentNumbers}
            meetingId={meetingId}
            meetingTitle={meeting.title}
            meetingStartedAt={meeting.startedAt}
          />
        )}
      </div>
    </li>
  )
}
