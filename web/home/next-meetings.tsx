import { Group, Stack, Text, Title } from '@mantine/core'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { Time, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { TextLink } from '../ui/links.tsx'
import { useUpcomingMeetings } from '../upcoming/queries.ts'

const MAX_SHOWN = 3

/** The next meetings that Hansard joins by itself. */
export function NextMeetings() {
  const { data } = useUpcomingMeetings()
  const now = useNowEvery30Seconds()
  const next = (data?.pages ?? [])
    .flatMap((page) => page.upcoming)
    .filter(({ willJoin, startsAt }) => willJoin && Date.parse(startsAt) > now)
    .slice(0, MAX_SHOWN)
  if (next.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-labelledby="next-meetings">
      <Title order={2} id="next-meetings">
        Next meetings
      </Title>
      <ul className="plain-list attention-list">
        {next.map(({ id, meetingId, title, startsAt, platform }) => (
          <li key={id}>
            <Text span lineClamp={2} className="break-anywhere">
              {meetingId === null ? (
                <bdi>{title}</bdi>
              ) : (
                <TextLink to="/meetings/$meetingId" params={{ meetingId }}>
                  <bdi>{title}</bdi>
                </TextLink>
              )}
            </Text>
            <Group gap="xs" c="dimmed" fz="sm">
              <span>
                <Time at={startsAt} show="minute" /> (<Time at={startsAt} show="relative" />)
              </span>
              {platform !== null && <span>{PLATFORM_LABELS[platform]}</span>}
            </Group>
          </li>
        ))}
      </ul>
      <TextLink to="/upcoming" size="sm">
        All upcoming meetings
      </TextLink>
    </Stack>
  )
}
