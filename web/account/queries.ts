import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WireToken, WireSession } from '../../src/http/shapes/account.ts'
import { useApi } from '../api/app-state.tsx'

const KEYS = { tokens: ['tokens'], sessions: ['sessions'] } as const

export function useApiTokens() {
  const api = useApi()
  return useQuery({
    queryKey: KEYS.tokens,
    queryFn: () => api.get<{ tokens: WireToken[] }>('/web/tokens'),
  })
}

export function useSessions() {
  const api = useApi()
  return useQuery({
    queryKey: KEYS.sessions,
    queryFn: () => api.get<{ sessions: WireSession[] }>('/web/sessions'),
  })
}

/** Returns a function that reloads the list of API tokens or sessions. It resolves when the new list has arrived. */
export function useReloadTokensOrSessions(list: keyof typeof KEYS): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: KEYS[list] })
}
