import { Badge, Group, Stack, Text } from '@mantine/core'
import type { WireMeetingDetail } from '../../src/http/shapes/meetings.ts'
import { counted } from '../meetings/words.ts'
import { ShortTime } from '../ui/time.tsx'

export function People({ meeting }: { meeting: WireMeetingDetail }) {
  const { participants, botName } = meeting
  const present = participants.filter(({ leftAt }) => leftAt === null)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" className="break-anywhere">
        {counted(participants.length, 'person', 'people')} came
        {meeting.endedAt === null && `, ${present.length} there now`}. The bot appears as “{botName}
        ”.
      </Text>
      <Stack gap="xs" component="ul" className="plain-list" aria-label="People">
        {participants.map(({ participantId, name, isHost, joinedAt, leftAt }) => (
          <li key={participantId}>
            <Group gap="xs">
              <Text fw={600} size="sm" className="break-anywhere">
                <bdi>{name === '' ? 'Without a name' : name}</bdi>
              </Text>
              {isHost && (
                <Badge variant="default" size="sm" radius="sm" tt="none">
                  Host
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              <ShortTime at={joinedAt} /> –{' '}
              {leftAt === null ? 'still there' : <ShortTime at={leftAt} />}
            </Text>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}
