import { Card, Group, Text, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import type { ApiActiveMeeting } from '../../src/http/shapes/meetings/meetings.ts'
import { useMeetingEvents } from '../api/event-stream-context.tsx'
import { TitleLink, Name, meetingPage } from '../ui/links.tsx'
import { useNowEverySecond } from '../ui/format/time.tsx'
import { MeetingStatusBadge } from './meeting-status-badge.tsx'
import { ACTIVE_STATUS_TEXTS, PLATFORM_LABELS } from './meeting-labels.ts'
import { formatSecondsAsClock } from '../ui/format/format-text.ts'
import { Hint } from '../ui/text.tsx'
import { Section } from '../ui/layout.tsx'

type LatestLine = { speaker: string; text: string }

/** The active meetings as cards, each with its latest transcript line. */
export function LiveMeetings({ meetings }: { meetings: ApiActiveMeeting[] }) {
  const [latestLines, setLatestLines] = useState<Record<string, LatestLine>>({})
  useMeetingEvents(({ type, meetingId, payload }) => {
    if (type !== 'segment_finalized' && type !== 'caption_partial') return
    setLatestLines((current) => ({ ...current, [meetingId]: payload }))
  })
  if (meetings.length === 0) return null
  const live = meetings.filter(({ status }) => status === 'live').length
  return (
    <Section id="live-now" title={live === 0 ? 'Happening now' : `Happening now (${live} live)`}>
      <SimpleGrid cols={{ base: 1, md: 2 }} component="ul" className="plain-list">
        {meetings.map((meeting) => (
          <LiveCard
            key={meeting.meetingId}
            meeting={meeting}
            latestLine={latestLines[meeting.meetingId]}
          />
        ))}
      </SimpleGrid>
    </Section>
  )
}

interface LiveCardProps {
  meeting: ApiActiveMeeting
  latestLine: LatestLine | undefined
}

function LiveCard({ meeting, latestLine }: LiveCardProps) {
  const { meetingId, title, status, platform, participantCount, startedAt, gist } = meeting
  const seconds = (useNowEverySecond() - Date.parse(startedAt)) / 1000
  return (
    <Card component="li" withBorder padding="md">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <TitleLink {...meetingPage(meetingId)} className="break-anywhere">
          <Name>{title}</Name>
        </TitleLink>
        <MeetingStatusBadge status={status} />
      </Group>
      <Hint>
        {PLATFORM_LABELS[platform]} ·{' '}
        <span className="figures">{formatSecondsAsClock(seconds)}</span>
        {participantCount > 0 && ` · ${participantCount} present`}
      </Hint>
      <Text size="sm" lineClamp={2} mt={4} className="break-anywhere" dir="auto">
        {latestLine
          ? `${latestLine.speaker}: ${latestLine.text}`
          : (gist ?? ACTIVE_STATUS_TEXTS[status])}
      </Text>
    </Card>
  )
}
