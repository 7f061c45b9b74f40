import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import { ActionItem } from '../../../actions/action-item.tsx'
import type { RecapSectionName } from '../../../../src/http/shapes/values.ts'
import { formatHourAndMinute } from '../../../ui/format/time.tsx'
import { type CitedLine, CitedLines, LineLink } from '../../cited-lines.tsx'
import { listParticipantNames } from '../../recap-items/item-fields.tsx'
import { type StatementKind, Statement } from '../../recap-items/statement.tsx'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { useCanEditMeeting } from '../editing/edit-dialogs.tsx'
import { RECAP_SECTION_LABELS } from './recap-labels.ts'
import { Hint } from '../../../ui/text.tsx'

interface RecapSectionsProps {
  recap: ApiRecap
  meeting: ApiMeetingDetail
  /** The lines of the transcript by their number. */
  lines: ReadonlyMap<number, CitedLine>
}

/** The parts of a recap. Every statement links to its source lines. */
export function RecapSections(parts: RecapSectionsProps) {
  return parts.recap.sections.map((section) => {
    const Part = SECTION_PARTS[section]
    return <Part key={section} {...parts} />
  })
}

const SECTION_PARTS: Record<RecapSectionName, (parts: RecapSectionsProps) => ReactNode> = {
  summary: (parts) => (
    <Statements
      title={RECAP_SECTION_LABELS.summary}
      kind="summary"
      statements={parts.recap.summary}
      {...parts}
    />
  ),
  decisions: (parts) => (
    <Statements
      title={RECAP_SECTION_LABELS.decisions}
      kind="decision"
      statements={parts.recap.decisions}
      {...parts}
    />
  ),
  actions: ActionItems,
  openQuestions: (parts) => (
    <Statements
      title={RECAP_SECTION_LABELS.openQuestions}
      kind="question"
      statements={parts.recap.openQuestions}
      {...parts}
    />
  ),
  topics: ({ recap: { topics }, meeting }) => (
    <Section title={RECAP_SECTION_LABELS.topics} count={topics.length}>
      {topics.map((topic) => (
        <Topic key={topic.firstSegmentNumber} {...topic} meetingStart={meeting.startedAt} />
      ))}
    </Section>
  ),
}

type CitedStatement = Omit<ApiRecap['decisions'][number], 'speaker' | 'reason'> & {
  speaker?: string | null
  reason?: string | null
}
type StatementsProps = RecapSectionsProps & {
  title: string
  kind: StatementKind
  statements: readonly CitedStatement[]
}

function Statements({ title, kind, statements, meeting, lines }: StatementsProps) {
  const canEdit = useCanEditMeeting()
  const names = listParticipantNames(meeting)
  return (
    <Section title={title} count={statements.length}>
      {statements.map((statement) => (
        <Statement
          key={statement.id}
          {...{ kind, statement, canEdit, names }}
          meetingId={meeting.meetingId}
          prefix={<OtherSpeaker statement={statement} lines={lines} />}
          citation={
            <CitedLines
              segmentNumbers={statement.segmentNumbers}
              statement={statement.text}
              lines={lines}
            />
          }
        />
      ))}
    </Section>
  )
}

interface OtherSpeakerProps {
  statement: CitedStatement
  lines: ReadonlyMap<number, CitedLine>
}

/** The speaker of a statement, if none of the cited lines names them. */
function OtherSpeaker({ statement: { speaker, segmentNumbers }, lines }: OtherSpeakerProps) {
  const cited = segmentNumbers.flatMap((number) => lines.get(number)?.speaker ?? [])
  if (!speaker || cited.length === 0 || cited.includes(speaker)) return null
  return (
    <>
      <SpeakerName speaker={speaker} isSmall />:{' '}
    </>
  )
}

function ActionItems({ recap, meeting, lines }: RecapSectionsProps) {
  const ownerNames = listParticipantNames(meeting)
  return (
    <Section title={RECAP_SECTION_LABELS.actions} count={recap.actions.length}>
      {recap.actions.map((action) => (
        <ActionItem
          key={action.actionId}
          action={action}
          project={meeting.project}
          ownerNames={ownerNames}
          citation={
            <CitedLines
              segmentNumbers={action.segmentNumbers}
              statement={action.text}
              lines={lines}
            />
          }
        />
      ))}
    </Section>
  )
}

interface SectionProps {
  title: string
  count: number
  children: ReactNode
}

function Section({ title, count, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={3} fz="0.9375rem" id={id} mb={6}>
        {title}
      </Title>
      {count === 0 ? (
        <Hint>None found.</Hint>
      ) : (
        <ul className="plain-list recap-list" tabIndex={-1}>
          {children}
        </ul>
      )}
    </section>
  )
}

type TopicProps = ApiRecap['topics'][number] & { meetingStart: string }

/** The time of day, as in the transcript. It links to the first line of the topic. */
function Topic({ title, startMs, endMs, firstSegmentNumber, meetingStart }: TopicProps) {
  const [start, end] = [startMs, endMs].map((ms) =>
    new Date(Date.parse(meetingStart) + ms).toISOString(),
  ) as [string, string]
  const times = [...new Set([start, end].map(formatHourAndMinute))].join('–')
  return (
    <li className="recap-topic">
      <LineLink
        meetingId={undefined}
        number={firstSegmentNumber}
        className="citation figures"
        ariaLabel={`${times}: ${title}`}
      >
        {times}
      </LineLink>
      <bdi>{title}</bdi>
    </li>
  )
}
