import { useQueryClient, useQuery, keepPreviousData } from '@tanstack/react-query'
import { useReload, useApi, useApiQuery } from '../api/use-api.tsx'
import type {
  ApiCalendar,
  ApiCalendarPreview,
  ApiCalendarRules,
} from '../../src/http/shapes/calendars.ts'
import { toApiError } from '../api/api-error.ts'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'

/** Calendars are not in the event stream, so pages that show them poll the API, more often while one is read. */
const REFRESH_MS = { idle: 15_000, reading: 1_500 }
/** The access to an account can end at any time, and people wait for its state after they reconnected it. */
const ACCOUNT_REFRESH_MS = 5_000
/** Longer than the service waits for a calendar's server. */
const READ_TIMEOUT_MS = 90_000
/** The service refuses a preview while two others of the same person are being read or wait. */
const RETRY_BUSY = {
  retry: (failures: number, error: unknown) => toApiError(error).status === 429 && failures < 45,
  retryDelay: 2_000,
}

export function useCalendars() {
  return useApiQuery(['calendars'], (api) => api.calendars.list(), {
    refetchInterval: ({ state }) =>
      state.data?.calendars.some(isReadSoon) ? REFRESH_MS.reading : REFRESH_MS.idle,
  })
}

function isReadSoon({ nextPollAt }: ApiCalendar): boolean {
  return Date.parse(nextPollAt) - Date.now() < REFRESH_MS.idle
}

/** The calendar to preview: one at an address that is not stored yet, or a stored one. */
export type PreviewSource =
  | { url: string }
  | { calendarAccountId: string; providerCalendarId: string }
  | { calendarId: string }

export type PreviewRules = { address: string | null; rules: ApiCalendarRules }

/** A preview that was read with these rules. */
export type KnownPreview = { rules: PreviewRules; preview: ApiCalendarPreview }

/** Returns the query for what a calendar with these rules would do in the next two weeks. Stores nothing. */
function usePreviewQuery() {
  const api = useApi()
  return (source: PreviewSource, rules: PreviewRules) => {
    const body = { ...rules, timeZone: BROWSER_TIME_ZONE }
    return {
      queryKey: ['calendar-preview', source, rules],
      queryFn: (): Promise<ApiCalendarPreview> =>
        'calendarId' in source
          ? api.calendars.previewWithRules(source.calendarId, body, { timeoutMs: READ_TIMEOUT_MS })
          : api.calendars.previewAddress({ ...source, ...body }, { timeoutMs: READ_TIMEOUT_MS }),
      // The key contains the secret address, which must not stay in memory after the dialog is closed.
      gcTime: 0,
      ...RETRY_BUSY,
    }
  }
}

/** Returns a function that reads a preview once. */
export function useReadPreview() {
  const queries = useQueryClient()
  const toQuery = usePreviewQuery()
  return (source: PreviewSource, rules: PreviewRules): Promise<ApiCalendarPreview> =>
    queries.fetchQuery(toQuery(source, rules))
}

export function useCalendarPreview(
  source: PreviewSource,
  rules: PreviewRules,
  known: KnownPreview | undefined,
) {
  const toQuery = usePreviewQuery()
  return useQuery({
    ...toQuery(source, rules),
    initialData: known && areSame(known.rules, rules) ? known.preview : undefined,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  })
}

function areSame(a: PreviewRules, b: PreviewRules): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns a function that requests a calendar to be read now. Its `polledAt` changes when that is done. */
export function usePollCalendar(): (calendar: ApiCalendar) => Promise<void> {
  const api = useApi()
  const reload = useReload('calendars', 'upcoming')
  return async ({ id }) => {
    await api.calendars.poll(id)
    await reload()
  }
}

/** The connected accounts, and the providers at which one can be connected. */
export const useCalendarAccounts = () =>
  useApiQuery(['calendar-accounts'], (api) => api.calendarAccounts.list(), {
    refetchInterval: ACCOUNT_REFRESH_MS,
  })

/** The calendars of a connected account. The provider is asked each time. */
export const useProviderCalendars = (accountId: string) =>
  useApiQuery(
    ['calendar-accounts', accountId, 'calendars'],
    (api) => api.calendarAccounts.calendars(accountId, { timeoutMs: READ_TIMEOUT_MS }),
    { gcTime: 0, retry: false, refetchOnWindowFocus: false },
  )
