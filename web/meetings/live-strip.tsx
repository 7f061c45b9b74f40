import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { WireActiveMeeting } from '../../src/http/shapes/meetings.ts'
import { useLiveEvents } from '../live/live.tsx'
import { TextLink } from '../ui/links.tsx'
import { useSeconds } from '../ui/time.tsx'
import { StatusBadge } from './status-badge.tsx'
import { clock, counted, PLATFORMS } from './words.ts'

type Said = { speaker: string; text: string }

/** Meetings that go on now, each with what was said last. */
export function LiveStrip({ meetings }: { meetings: WireActiveMeeting[] }) {
  const [said, setSaid] = useState<Record<string, Said>>({})
  useLiveEvents(({ type, meetingId, payload }) => {
    if (type !== 'segment_finalized' && type !== 'caption_partial') return
    setSaid((known) => ({ ...known, [meetingId]: payload }))
  })
  if (meetings.length === 0) return null
  return (
    <Stack gap="sm" component="section" aria-labelledby="live-now">
      <Title order={2} id="live-now">
        Live now ({meetings.length})
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }} component="ul" className="plain-list">
        {meetings.map((meeting) => (
          <LiveCard key={meeting.meetingId} meeting={meeting} said={said[meeting.meetingId]} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function LiveCard({ meeting, said }: { meeting: WireActiveMeeting; said: Said | undefined }) {
  const { meetingId, title, status, platform, participantCount, startedAt } = meeting
  const seconds = (useSeconds() - Date.parse(startedAt)) / 1000
  return (
    <Card component="li" withBorder padding="md">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <TextLink
          to="/meetings/$meetingId"
          params={{ meetingId }}
          fw={600}
          className="break-anywhere"
        >
          {title}
        </TextLink>
        <StatusBadge status={status} />
      </Group>
      <Text size="sm" c="dimmed">
        {PLATFORMS[platform]} · <span className="figures">{clock(seconds)}</span> ·{' '}
        {counted(participantCount, 'person', 'people')}
      </Text>
      {said && (
        <Text size="sm" lineClamp={2} mt={4} className="break-anywhere" dir="auto">
          <b>{said.speaker}</b> {said.text}
        </Text>
      )}
    </Card>
  )
}
