import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  WireActiveMeeting,
  WireMeetingHistory,
  WireMeetingDetail,
} from '../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../api/app-state.tsx'
import {
  useMeetingDetailChanges,
  useMeetingEvents,
  useOnEventStreamOpen,
} from '../api/event-stream-context.tsx'
import { toQueryString } from '../api/query-string.ts'
import { useBatchedCallback } from '../api/use-batched-callback.ts'

const KEYS = { active: ['meetings', 'active'], history: ['meetings', 'history'] } as const
const detailKey = (meetingId: string) => ['meeting', meetingId]

export function meetingApiPath(meetingId: string): string {
  return `/web/meetings/${encodeURIComponent(meetingId)}`
}

export function useActiveMeetings() {
  const api = useApi()
  useRefreshOnMeetingEvents()
  return useQuery({
    queryKey: KEYS.active,
    queryFn: () => api.get<{ meetings: WireActiveMeeting[] }>('/web/meetings/status'),
  })
}

export type MeetingListFilter = {
  q?: string | undefined
  status?: string | undefined
  platform?: string | undefined
  /** Leaves out scheduled meetings. */
  begun?: 'true' | undefined
  /** Leaves out meetings that were tried again. */
  retried?: 'false' | undefined
}

export function useMeetingList(filter: MeetingListFilter) {
  const api = useApi()
  useRefreshOnMeetingEvents()
  return useInfiniteQuery({
    queryKey: [...KEYS.history, filter],
    queryFn: ({ pageParam }) => {
      const query = toQueryString({ ...filter, cursor: pageParam, limit: '30' })
      return api.get<WireMeetingHistory>(`/web/meetings${query}`)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** A meeting without its transcript. Read again after each of its events except captions, and when a warning changes. */
export function useMeeting(meetingId: string) {
  const api = useApi()
  const queries = useQueryClient()
  const refresh = useBatchedCallback(() => {
    void queries.invalidateQueries({ queryKey: detailKey(meetingId) })
  })
  useOnEventStreamOpen(refresh)
  useMeetingEvents((event) => {
    if (event.meetingId !== meetingId) return
    if (event.type !== 'caption_partial' && event.type !== 'segment_finalized') refresh()
  })
  useMeetingDetailChanges((changedId) => {
    if (changedId === meetingId) refresh()
  })
  return useQuery({
    queryKey: detailKey(meetingId),
    queryFn: () => api.get<{ meeting: WireMeetingDetail }>(meetingApiPath(meetingId)),
  })
}

export function useRefreshMeetings(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: ['meetings'] })
    await queries.invalidateQueries({ queryKey: ['meeting'] })
  }
}

/** Refreshes the meeting lists when a meeting's status or participants change, and when it gets a recap. */
function useRefreshOnMeetingEvents(): void {
  const queries = useQueryClient()
  const refresh = useBatchedCallback(() => {
    void queries.invalidateQueries({ queryKey: ['meetings'] })
  })
  useOnEventStreamOpen(refresh)
  useMeetingEvents(({ type }) => {
    const isListed = type === 'meeting_status' || type === 'recap_ready'
    if (isListed || type.startsWith('participant_')) refresh()
  })
}
