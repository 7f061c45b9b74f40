import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useReload, useApi, useApiPages } from '../api/use-api.tsx'
import { useMeetingEvents, useOnEventStreamOpen } from '../api/event-stream-context.tsx'
import { useBatchedCallback } from '../api/use-batched-callback.ts'
import { useCalendars } from '../calendars/queries.ts'

/** Changes of calendars are not in the event stream, so the list is polled. */
const REFRESH_MS = 15_000
const KEY = ['upcoming']

/** The meetings of the next two weeks. Read again when a calendar changes or a bot joins. */
export function useUpcomingMeetings() {
  const queries = useQueryClient()
  const refresh = useBatchedCallback(() => {
    void queries.invalidateQueries({ queryKey: KEY })
  })
  const calendars = useCalendars().data?.calendars ?? []
  const lastChange = calendars
    .map(({ changedAt }) => changedAt ?? '')
    .toSorted()
    .at(-1)
  useEffect(() => {
    if (lastChange !== undefined) void queries.invalidateQueries({ queryKey: KEY })
  }, [queries, lastChange])
  useOnEventStreamOpen(refresh)
  useMeetingEvents(({ type }) => {
    if (type === 'meeting_status') refresh()
  })
  return useApiPages(KEY, (api, cursor) => api.upcoming.list({ cursor: cursor, limit: 100 }), {
    refetchInterval: REFRESH_MS,
  })
}

/** Decides about one meeting, regardless of its calendar's rules. Null lets the rules decide again. */
export function useChangeAttendance(): (id: string, attend: boolean | null) => Promise<void> {
  const api = useApi()
  const reload = useReload('upcoming')
  return async (id, attend) => {
    await api.upcoming.update(id, { attend })
    await reload()
  }
}
