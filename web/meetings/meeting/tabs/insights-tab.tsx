import { Badge, Group, Stack, Text } from '@mantine/core'
import type {
  EventPayload,
  WireInsight,
  WireMeetingDetail,
} from '../../../../src/http/shapes/meetings/meetings.ts'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { LineLink } from '../../cited-lines.tsx'

type InsightCategory = EventPayload<'coach_insight'>['category']

const CATEGORY_LABELS: Record<InsightCategory, string> = {
  talk_balance: 'Talk balance',
  monologue: 'Monologue',
  pace: 'Pace',
  filler: 'Filler words',
  silence: 'Silence',
  unanswered_question: 'Open question',
  action_item: 'Action item',
  deadline: 'Deadline',
  decision: 'Decision',
  risk: 'Risk',
  objection: 'Objection',
  question_to_ask: 'Question to ask',
  summary: 'Summary',
}

export function InsightsTab({ meeting }: { meeting: WireMeetingDetail }) {
  const { insights, endedAt } = meeting
  if (insights.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        {endedAt === null
          ? 'No insights yet. Decisions, action items, open questions and speaking tips appear here.'
          : 'No insights.'}
      </Text>
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

function InsightItem({ insight }: { insight: WireInsight }) {
  const { category, severity, title, text, timestamp, segmentNumbers } = insight
  const [first] = segmentNumbers
  return (
    <li className={`insight insight-${severity}`}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text fw={650} size="sm" className="break-anywhere">
          {title}
        </Text>
        <Text span size="xs" c="dimmed">
          <TimeOfDay at={timestamp} />
        </Text>
      </Group>
      <Text size="sm" className="break-anywhere" dir="auto">
        {text}
      </Text>
      <Group gap="xs" mt={4}>
        <Badge variant="default" size="sm" radius="sm" tt="none">
          {CATEGORY_LABELS[category as InsightCategory] ?? category}
        </Badge>
        {first !== undefined && (
          <LineLink meetingId={undefined} number={first}>
            Show in transcript
          </LineLink>
        )}
      </Group>
    </li>
  )
}
