import { Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import { ActionItem } from '../../../actions/action-item.tsx'
import { formatHourAndMinute } from '../../../ui/format/time.tsx'
import { CitedLines, LineLink, type CitedLine } from '../../cited-lines.tsx'
import { SpeakerName } from '../../speakers/speaker-name.tsx'

interface RecapSectionsProps {
  recap: ApiRecap
  meeting: ApiMeetingDetail
  /** The lines of the transcript by their number. */
  lines: ReadonlyMap<number, CitedLine>
}

/** The parts of a recap. Every statement links to its source lines. */
export function RecapSections(parts: RecapSectionsProps) {
  const { recap, meeting, lines } = parts
  const { summary, decisions, openQuestions, topics } = recap
  return (
    <>
      <Section title="Summary" count={summary.length}>
        {summary.map(({ text, segmentNumbers }) => (
          <Statement
            key={`${segmentNumbers.join(' ')} ${text}`}
            text={text}
            segmentNumbers={segmentNumbers}
            lines={lines}
          />
        ))}
      </Section>
      <Section title="Decisions" count={decisions.length}>
        {decisions.map((decision) => (
          <Statement
            key={`${decision.segmentNumbers.join(' ')} ${decision.text}`}
            {...decision}
            lines={lines}
          />
        ))}
      </Section>
      <ActionItems {...parts} />
      <Section title="Open questions" count={openQuestions.length}>
        {openQuestions.map((question) => (
          <Statement
            key={`${question.segmentNumbers.join(' ')} ${question.text}`}
            {...question}
            lines={lines}
          />
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

function ActionItems({ recap, meeting, lines }: RecapSectionsProps) {
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
  lines: ReadonlyMap<number, CitedLine>
}

/** The citation names the speaker, unless another person said the cited lines. */
function Statement({ text, speaker = null, segmentNumbers, lines }: StatementProps) {
  const citedSpeakers = segmentNumbers.flatMap((number) => lines.get(number)?.speaker ?? [])
  const isNamed = citedSpeakers.length === 0 || citedSpeakers.includes(speaker ?? '')
  return (
    <li className="recap-statement">
      {speaker !== null && speaker !== '' && !isNamed && (
        <>
          <SpeakerName speaker={speaker} isSmall />{' '}
        </>
      )}
      <bdi>{text}</bdi>{' '}
      <CitedLines segmentNumbers={segmentNumbers} statement={text} lines={lines} />
    </li>
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
