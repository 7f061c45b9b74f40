import { useQuery } from '@tanstack/react-query'
import { useReload } from '../api/queries.ts'
import type { WireToken } from '../../src/http/shapes/account.ts'
import { useApi, useSignedInUser } from '../api/app-state.tsx'

export function useApiTokens() {
  const api = useApi()
  return useQuery({
    queryKey: ['tokens'],
    queryFn: () => api.tokens.list(),
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
    queryKey: ['sessions'],
    queryFn: () => api.sessions.list(),
  })
}

/** Returns a function that reloads the list of API tokens or sessions, and resolves when it has arrived. */
export const useReloadTokensOrSessions = (list: 'tokens' | 'sessions') => useReload(list)
