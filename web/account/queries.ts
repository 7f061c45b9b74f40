import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WireToken, WireSession } from '../../src/http/shapes/account.ts'
import { useApi, useSignedInUser } from '../api/app-state.tsx'

const KEYS = { tokens: ['tokens'], sessions: ['sessions'] } as const

export function useApiTokens() {
  const api = useApi()
  return useQuery({
    queryKey: KEYS.tokens,
    queryFn: () => api.get<{ tokens: WireToken[] }>('/web/tokens'),
  })
}

/** The tokens whose secrets may sign callbacks of this user. An admin also sees other people's tokens. */
export function useSigningTokens(): WireToken[] | undefined {
  const { data } = useApiTokens()
  const user = useSignedInUser()
  return data?.tokens.filter(
    ({ revokedAt, kind, creatorId }) =>
      revokedAt === null && (kind === 'service' || creatorId === user.id),
  )
}

export function useSessions() {
  const api = useApi()
  return useQuery({
    queryKey: KEYS.sessions,
    queryFn: () => api.get<{ sessions: WireSession[] }>('/web/sessions'),
  })
}

/** Returns a function that reloads the list of API tokens or sessions, and resolves when it has arrived. */
export function useReloadTokensOrSessions(list: keyof typeof KEYS): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: KEYS[list] })
}
