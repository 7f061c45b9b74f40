import { Stack, Text } from '@mantine/core'
import type {
  EventPayload,
  ApiInsight,
  ApiMeetingDetail,
} from '../../../../src/http/shapes/meetings/meetings.ts'
import { formatTimeOfDay, TimeOfDay } from '../../../ui/format/time.tsx'
import { LineLink } from '../../cited-lines.tsx'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { describeInsight } from './insight-text.ts'
import { Hint } from '../../../ui/text.tsx'

type InsightCategory = EventPayload<'coach_insight'>['category']

const CATEGORY_LABELS: Record<InsightCategory, string> = {
  talk_balance: 'Talk balance',
  monologue: 'Monologue',
  pace: 'Pace',
  filler: 'Filler words',
  silence: 'Silence',
  unanswered_question: 'Unanswered question',
  action_item: 'Action item',
  deadline: 'Deadline',
  decision: 'Decision',
  risk: 'Risk',
  objection: 'Objection',
  question_to_ask: 'Question to ask',
  summary: 'Summary',
}

export function InsightsTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { insights, endedAt } = meeting
  if (insights.length === 0) {
    return (
      <Hint>
        {endedAt === null
          ? 'No insights yet. Decisions, action items, open questions and speaking tips appear here.'
          : 'No insights.'}
      </Hint>
    )
  }
  return (
    <Stack gap="sm" component="ol" className="plain-list" aria-label="Insights, newest first">
      {insights.toReversed().map((insight) => (
        <InsightItem key={insight.insightId} insight={insight} />
      ))}
    </Stack>
  )
}

const MAX_LABEL_LENGTH = 80

/** Category, speaker and time in one line, then what was said or noticed. The time links to the line. */
function InsightItem({ insight }: { insight: ApiInsight }) {
  const { severity, speaker, timestamp, segmentNumbers } = insight
  const label = CATEGORY_LABELS[insight.category as InsightCategory] ?? insight.category
  const { title, text } = describeInsight(insight, label)
  const [first] = segmentNumbers
  return (
    <li className={`insight insight-${severity}`}>
      <div className="insight-header">
        <Text span fw={650} size="sm" className="break-anywhere">
          {label}
        </Text>
        {speaker !== null && speaker !== '' && <SpeakerName speaker={speaker} isSmall />}
        <Text span size="xs" c="dimmed" className="insight-time">
          {first === undefined ? (
            <TimeOfDay at={timestamp} />
          ) : (
            <LineLink
              meetingId={undefined}
              number={first}
              className="citation"
              ariaLabel={`${formatTimeOfDay(timestamp)}: ${label}, ${text.slice(0, MAX_LABEL_LENGTH)}`}
            >
              <TimeOfDay at={timestamp} />
            </LineLink>
          )}
        </Text>
      </div>
      {title !== null && (
        <Text size="sm" fw={600} className="break-anywhere" dir="auto">
          {title}
        </Text>
      )}
      <Text size="sm" className="break-anywhere" dir="auto">
        {text}
      </Text>
    </li>
  )
}
