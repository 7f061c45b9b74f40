import { useState } from 'react'
import {
  useQueryClient,
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
} from '@tanstack/react-query'
import { Stack, Text } from '@mantine/core'
import type { ApiChat } from '../../../../src/http/shapes/meetings/chat.ts'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/use-api.tsx'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { QueryView } from '../../../ui/feedback/feedback.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { LoadMoreButton } from '../../../ui/tables/data-table.tsx'
import { Hint } from '../../../ui/text.tsx'

/** The messages of the meeting chat, separate from the transcript. */
export function ChatTab({ meeting }: { meeting: ApiMeetingDetail }) {
  const query = useChat(meeting)
  if (!meeting.storesChat) return <Empty text="The chat of this meeting is not stored." />
  return (
    <QueryView query={query} label="the chat">
      {({ pages }) => {
        const messages = pages.flatMap((page) => page.messages)
        if (messages.length === 0) return <Empty text="No chat messages." />
        return (
          <>
            <Stack component="ol" className="plain-list" gap="sm" aria-label="Chat messages">
              {messages.map((message) => (
                <ChatItem key={message.messageNumber} message={message} />
              ))}
            </Stack>
            <LoadMoreButton query={query} size="xs">
              Load later messages
            </LoadMoreButton>
          </>
        )
      }}
    </QueryView>
  )
}

function ChatItem({
  message: { author, text, timestamp },
}: {
  message: ApiChat['messages'][number]
}) {
  return (
    <li>
      <Text component="div" size="sm">
        {author === '' ? <b>Unknown participant</b> : <SpeakerName speaker={author} isSmall />}{' '}
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
  return <Hint>{text}</Hint>
}

const REFRESH_MS = 5_000

type LoadedChat = InfiniteData<ApiChat, number>

/** The stored messages of the meeting chat. New messages are appended until the meeting has ended. */
function useChat({ meetingId, endedAt, storesChat }: ApiMeetingDetail) {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = ['chat', meetingId]
  const readAfter = (messageNumber: number) =>
    api.meetings.chat(meetingId, { after: messageNumber })
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => readAfter(pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) =>
      pages.flatMap(({ messages }) => messages).length < total ? lastNumberOf(pages) : undefined,
    enabled: storesChat,
    // Messages may have arrived while another tab was open.
    staleTime: 0,
  })
  const [hadEnded] = useState(endedAt !== null)
  // No event reports a chat message, so messages after the last loaded one are polled, and read once more after the
  // meeting has ended.
  useQuery({
    queryKey: ['new chat messages', meetingId, endedAt],
    queryFn: async () => {
      const loaded = queries.getQueryData<LoadedChat>(queryKey)
      const fresh = await readAfter(lastNumberOf(loaded?.pages ?? []))
      queries.setQueryData<LoadedChat>(queryKey, (current) => current && append(current, fresh))
      return null
    },
    enabled: storesChat && !hadEnded && query.isSuccess && !query.hasNextPage,
    refetchInterval: endedAt === null ? REFRESH_MS : false,
  })
  return query
}

function lastNumberOf(pages: readonly ApiChat[]): number {
  return pages.at(-1)?.messages.at(-1)?.messageNumber ?? 0
}

function append(current: LoadedChat, { messages, ...fresh }: ApiChat): LoadedChat {
  const newest = lastNumberOf(current.pages)
  const added = messages.filter(({ messageNumber }) => messageNumber > newest)
  const last = current.pages.at(-1)
  if (!last) return current
  const page = { ...fresh, messages: [...last.messages, ...added] }
  return { ...current, pages: [...current.pages.slice(0, -1), page] }
}
