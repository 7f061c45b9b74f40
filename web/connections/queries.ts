import { useApiQuery } from '../api/use-api.tsx'

/** Reads of connections are not in the event stream, so the page polls them. */
const REFRESH_MS = 5_000
const SHOWN_TRANSCRIPTS = 100
const CHECK_TIMEOUT_MS = 90_000

export function useConnections() {
  return useApiQuery(['connections'], (api) => api.connections.list(), {
    refetchInterval: REFRESH_MS,
  })
}

/** Checks a connection when it is first shown, and again when the user asks for it. */
export function useConnectionCheck(id: string) {
  return useApiQuery(
    ['connection-check', id],
    (api) => api.connections.check(id, { timeoutMs: CHECK_TIMEOUT_MS }),
    {
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
    },
  )
}

/** The newest transcripts of a connection. */
export const useConnectionTranscripts = (id: string) =>
  useApiQuery(['connections', id, 'transcripts'], (api) =>
    api.connections.transcripts(id, { limit: SHOWN_TRANSCRIPTS }),
  )

export const useCalendarApps = () =>
  useApiQuery(['calendar-apps'], (api) => api.calendarApps.list())
