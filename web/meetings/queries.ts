import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, keepPreviousData, useQueryClient } from '@tanstack/react-query'
import type { MeetingsListQuery } from '../../client/index.js'
import { useApi, useApiPages } from '../api/use-api.tsx'
import {
  useMeetingEvents,
  useOnEventStreamOpen,
  useContentChanges,
} from '../api/event-stream-context.tsx'
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
    queryFn: () => api.meetings.status(),
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
  useRefreshOnMeetingEvents()
  return useApiPages([...KEYS.history, filter], (api, cursor) =>
    api.meetings.list({ ...filter, cursor, limit: 30 } as MeetingsListQuery),
  )
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
  useContentChanges('meeting_details_changed', (changedId) => {
    if (changedId === meetingId) refresh()
  })
  return useQuery({
    queryKey: detailKey(meetingId),
    queryFn: () => api.meetings.get(meetingId),
  })
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
  // The line about a meeting counts its decisions and action items.
  useContentChanges('recap_items_changed', refresh)
}

const DEBOUNCE_MS = 250

/** Asks the API which meeting a link belongs to, or why the link is invalid. Opens nothing. */
export function useMeetingLinkOrError(url: string) {
  const api = useApi()
  const [settled] = useDebouncedValue(url.trim(), DEBOUNCE_MS)
  const query = useQuery({
    queryKey: ['link', settled],
    queryFn: () => api.meetings.link({ url: settled }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const isCurrent = settled === url.trim() && settled !== ''
  return { link: isCurrent ? query.data : undefined, error: isCurrent ? query.error : null }
}
