import { Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import { ActionItem } from '../../../actions/action-item.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { CitedLines } from '../../cited-lines.tsx'
import { SpeakerName } from '../../speakers/speaker-name.tsx'

interface RecapSectionsProps {
  recap: ApiRecap
  meeting: ApiMeetingDetail
}

/** The parts of a recap. Every statement links to its source lines. */
export function RecapSections({ recap, meeting }: RecapSectionsProps) {
  const { summary, decisions, openQuestions, topics } = recap
  return (
    <>
      <Section title="Summary" count={summary.length}>
        {summary.map(({ text, segmentNumbers }) => (
          <Statement
            key={`${segmentNumbers.join(' ')} ${text}`}
            text={text}
            segmentNumbers={segmentNumbers}
          />
        ))}
      </Section>
      <Section title="Decisions" count={decisions.length}>
        {decisions.map((decision) => (
          <Statement key={`${decision.segmentNumbers.join(' ')} ${decision.text}`} {...decision} />
        ))}
      </Section>
      <ActionItems recap={recap} meeting={meeting} />
      <Section title="Open questions" count={openQuestions.length}>
        {openQuestions.map((question) => (
          <Statement key={`${question.segmentNumbers.join(' ')} ${question.text}`} {...question} />
        ))}
      </Section>
      <Section title="Topics" count={topics.length}>
        {topics.map((topic) => (
          <Topic key={topic.firstSegmentNumber} {...topic} meetingStart={meeting.startedAt} />
        ))}
      </Section>
    </>
  )
}

function ActionItems({ recap, meeting }: RecapSectionsProps) {
  const names = meeting.participants.map(({ name }) => name).filter((name) => name !== '')
  const ownerNames = [...new Set(names)].toSorted()
  return (
    <Section title="Action items" count={recap.actions.length}>
      {recap.actions.map((action) => (
        <ActionItem
          key={action.actionId}
          action={action}
          project={meeting.project}
          ownerNames={ownerNames}
          citation={<CitedLines segmentNumbers={action.segmentNumbers} statement={action.text} />}
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
        <Text size="sm" c="dimmed">
          None found.
        </Text>
      ) : (
        <ul className="plain-list recap-list">{children}</ul>
      )}
    </section>
  )
}

interface StatementProps {
  text: string
  speaker?: string | null
  segmentNumbers: readonly number[]
}

function Statement({ text, speaker = null, segmentNumbers }: StatementProps) {
  return (
    <li className="recap-statement">
      <bdi>{text}</bdi>
      <span className="recap-source">
        {speaker !== null && speaker !== '' && <SpeakerName speaker={speaker} isSmall />}
        <CitedLines segmentNumbers={segmentNumbers} statement={text} />
      </span>
    </li>
  )
}

type TopicProps = ApiRecap['topics'][number] & { meetingStart: string }

/** The time of day, as in the transcript. */
function Topic({ title, startMs, endMs, firstSegmentNumber, meetingStart }: TopicProps) {
  const at = (ms: number) => new Date(Date.parse(meetingStart) + ms).toISOString()
  return (
    <li className="recap-topic">
      <span className="recap-range figures">
        <TimeOfDay at={at(startMs)} />–<TimeOfDay at={at(endMs)} />
      </span>
      <span>
        <bdi>{title}</bdi> <CitedLines segmentNumbers={[firstSegmentNumber]} statement={title} />
      </span>
    </li>
  )
}
