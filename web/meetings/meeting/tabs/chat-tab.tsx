import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireChat } from '../../../../src/http/shapes/chat.ts'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { QueryView } from '../../../ui/feedback/query-view.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { meetingApiPath } from '../../queries.ts'

const REFRESH_MS = 5_000

/** The messages of the meeting chat, apart from what was said. */
export function ChatTab({
  meeting: { meetingId, endedAt, storesChat },
}: {
  meeting: WireMeetingDetail
}) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['chat', meetingId, endedAt],
    queryFn: () => api.get<WireChat>(`${meetingApiPath(meetingId)}/chat`),
    // No event reports a chat message, so a live chat is read again at this interval.
    refetchInterval: endedAt === null && storesChat ? REFRESH_MS : false,
  })
  if (!storesChat) return <Empty text="The chat of this meeting is not stored." />
  return (
    <QueryView query={query} label="the chat">
      {({ messages, total }) =>
        messages.length === 0 ? (
          <Empty text="No chat messages." />
        ) : (
          <>
            <Stack component="ol" className="plain-list" gap="sm" aria-label="Chat messages">
              {messages.map((message) => (
                <ChatItem key={message.messageNumber} message={message} />
              ))}
            </Stack>
            {total > messages.length && (
              <Empty text={`The first ${messages.length} of ${total} messages.`} />
            )}
          </>
        )
      }
    </QueryView>
  )
}

function ChatItem({
  message: { author, text, timestamp },
}: {
  message: WireChat['messages'][number]
}) {
  return (
    <li>
      <Text size="sm" fw={650} className="break-anywhere">
        {author || 'Unknown participant'}{' '}
        <Text span size="xs" c="dimmed">
          <TimeOfDay at={timestamp} />
        </Text>
      </Text>
      <Text size="sm" className="break-anywhere" dir="auto">
        {text}
      </Text>
    </li>
  )
}

function Empty({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  )
}
