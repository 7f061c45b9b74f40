import type { ApiListedToken } from '../../src/http/shapes/account.ts'
import { useSignedInUser, useApiQuery } from '../api/use-api.tsx'

export const useApiTokens = () => useApiQuery(['tokens'], (api) => api.tokens.list())

/** The tokens whose secrets may sign callbacks of this user. An admin also sees other people's tokens. */
export function useSigningTokens(): ApiListedToken[] | undefined {
  const { data } = useApiTokens()
  const user = useSignedInUser()
  return data?.tokens.filter(
    ({ revokedAt, kind, creatorId, assistant }) =>
      revokedAt === null && assistant === null && (kind === 'service' || creatorId === user.id),
  )
}

export const useSessions = () => useApiQuery(['sessions'], (api) => api.sessions.list())

export const useSignInMethods = () =>
  useApiQuery(['sign-in-methods'], (api) => api.signInMethods.list())
