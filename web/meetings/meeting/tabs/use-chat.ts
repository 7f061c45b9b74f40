import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { WireChat } from '../../../../src/http/shapes/meetings/chat.ts'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'

const REFRESH_MS = 5_000

type LoadedChat = InfiniteData<WireChat, number>

/** The stored messages of the meeting chat. New messages are appended until the meeting has ended. */
export function useChat({ meetingId, endedAt, storesChat }: WireMeetingDetail) {
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

function lastNumberOf(pages: readonly WireChat[]): number {
  return pages.at(-1)?.messages.at(-1)?.messageNumber ?? 0
}

function append(current: LoadedChat, { messages, ...fresh }: WireChat): LoadedChat {
  const newest = lastNumberOf(current.pages)
  const added = messages.filter(({ messageNumber }) => messageNumber > newest)
  const last = current.pages.at(-1)
  if (!last) return current
  const page = { ...fresh, messages: [...last.messages, ...added] }
  return { ...current, pages: [...current.pages.slice(0, -1), page] }
}
