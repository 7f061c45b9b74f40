import { useQuery } from '@tanstack/react-query'
import type { ApiListedToken } from '../../src/http/shapes/account.ts'
import { useApi, useSignedInUser, useReload } from '../api/use-api.tsx'

export function useApiTokens() {
  const api = useApi()
  return useQuery({
    queryKey: ['tokens'],
    queryFn: () => api.tokens.list(),
  })
}

/** The tokens whose secrets may sign callbacks of this user. An admin also sees other people's tokens. */
export function useSigningTokens(): ApiListedToken[] | undefined {
  const { data } = useApiTokens()
  const user = useSignedInUser()
  return data?.tokens.filter(
    ({ revokedAt, kind, creatorId, assistant }) =>
      revokedAt === null && assistant === null && (kind === 'service' || creatorId === user.id),
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

export function useSignInMethods() {
  const api = useApi()
  return useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => api.signInMethods.list(),
  })
}

/** Returns a function that reloads the ways to sign in, and resolves when they have arrived. */
export const useReloadSignInMethods = () => useReload('sign-in-methods')
