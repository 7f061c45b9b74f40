import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  WireCalendar,
  WireCalendarPreview,
  WireCalendarRules,
  WireCalendars,
} from '../../src/http/shapes/calendars.ts'
import { useApi } from '../api/app-state.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/browser-time-zone.ts'

/** Calendars are not in the event stream, so pages that show them poll the API, more often while one is read. */
const REFRESH_MS = { idle: 15_000, reading: 1_500 }
/** Longer than the service waits for the server of a calendar. */
const READ_TIMEOUT_MS = 90_000

export function calendarApiPath(calendarId: string): string {
  return `/web/calendars/${encodeURIComponent(calendarId)}`
}

export function useCalendars() {
  const api = useApi()
  return useQuery({
    queryKey: ['calendars'],
    queryFn: () => api.get<WireCalendars>('/web/calendars'),
    refetchInterval: ({ state }) =>
      state.data?.calendars.some(isReadSoon) ? REFRESH_MS.reading : REFRESH_MS.idle,
  })
}

function isReadSoon({ nextPollAt }: WireCalendar): boolean {
  return Date.parse(nextPollAt) - Date.now() < REFRESH_MS.idle
}

/** Reloads the calendars and the upcoming meetings. Resolves when the new lists have arrived. */
export function useReloadCalendars(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(
      ['calendars', 'upcoming'].map((list) => queries.invalidateQueries({ queryKey: [list] })),
    )
  }
}

/** What is previewed: the calendar at an address that is not stored yet, or a stored one. */
export type PreviewSource = { url: string } | { calendarId: string }

export type PreviewRules = { address: string | null; rules: WireCalendarRules }

/** A preview that was read with these rules. */
export type KnownPreview = { rules: PreviewRules; preview: WireCalendarPreview }

/** Returns a function that says what a calendar with these rules would do in the next two weeks. Stores nothing. */
export function useReadPreview() {
  const api = useApi()
  return (source: PreviewSource, rules: PreviewRules): Promise<WireCalendarPreview> => {
    const body = { ...rules, timeZone: BROWSER_TIME_ZONE }
    return 'url' in source
      ? api.post('/web/calendars/preview', { url: source.url, ...body }, READ_TIMEOUT_MS)
      : api.post(`${calendarApiPath(source.calendarId)}/preview`, body, READ_TIMEOUT_MS)
  }
}

export function useCalendarPreview(
  source: PreviewSource,
  rules: PreviewRules,
  known: KnownPreview | undefined,
) {
  const read = useReadPreview()
  return useQuery({
    queryKey: ['calendar-preview', source, rules],
    queryFn: () => read(source, rules),
    initialData: known && areSame(known.rules, rules) ? known.preview : undefined,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    // The key contains the secret address, which must not stay in memory after the dialog is closed.
    gcTime: 0,
  })
}

function areSame(a: PreviewRules, b: PreviewRules): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns a function that asks for a calendar to be read now. Its `polledAt` changes when it was read. */
export function usePollCalendar(): (calendar: WireCalendar) => Promise<void> {
  const api = useApi()
  const reload = useReloadCalendars()
  return async ({ id }) => {
    await api.post(`${calendarApiPath(id)}/poll`)
    await reload()
  }
}
