import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { formatCountWithNoun } from '../../../ui/format/format-text.ts'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { SpeakerName } from '../../speakers/speaker-name.tsx'

export function ParticipantsTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const { participants, botName, endedAt, platform } = meeting
  const present = participants.filter(({ leftAt }) => leftAt === null)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" className="break-anywhere">
        {formatCountWithNoun(participants.length, 'participant')}
        {endedAt === null && `, ${present.length} present now`}.
        {platform !== 'imported' && ` The bot appears as “${botName}”.`}
      </Text>
      <Stack gap="xs" component="ul" className="plain-list" aria-label="Participants">
        {participants.map(({ participantId, name, isHost, joinedAt, leftAt }) => (
          <li key={participantId}>
            <Group gap="xs">
              {name === '' ? (
                <Text fw={600} size="sm">
                  Unnamed
                </Text>
              ) : (
                <SpeakerName speaker={name} isSmall />
              )}
              {isHost && (
                <Badge variant="default" size="sm" radius="sm" tt="none">
                  Host
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              <TimeOfDay at={joinedAt} /> – <PresentUntil at={leftAt ?? endedAt} />
            </Text>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

/** For participants who have not left: the end of the meeting. Null while it continues. */
function PresentUntil({ at }: { at: string | null }) {
  return at === null ? 'still present' : <TimeOfDay at={at} />
}
