import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../api/use-api.tsx'

/** Reads of connections are not in the event stream, so the page polls them. */
const REFRESH_MS = 5_000
const SHOWN_TRANSCRIPTS = 100
const CHECK_TIMEOUT_MS = 90_000

export function useConnections() {
  const api = useApi()
  return useQuery({
    queryKey: ['connections'],
    queryFn: () => api.connections.list(),
    refetchInterval: REFRESH_MS,
  })
}

/** Resolves when the list has been loaded again after a change. */
export function useReloadConnections(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['connections'] })
}

/** Checks a connection when it is first shown, and again when the user asks for it. */
export function useConnectionCheck(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['connection-check', id],
    queryFn: () => api.connections.check(id, { timeoutMs: CHECK_TIMEOUT_MS }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** The newest transcripts of a connection. */
export function useConnectionTranscripts(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['connections', id, 'transcripts'],
    queryFn: () => api.connections.transcripts(id, { limit: SHOWN_TRANSCRIPTS }),
  })
}
