import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { ApiSignedIn, ApiConsoleState, ApiUser } from '../../src/http/shapes/account.ts'
import type { ApiClient } from './client.ts'

const APP_STATE_QUERY_KEY = ['state']

const ApiContext = createContext<ApiClient | null>(null)
export const ApiProvider = ApiContext.Provider

export function useApi(): ApiClient {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi needs an ApiProvider above it')
  return api
}

/** Loads the signed-in user. Loads it again when the window gets the focus, because another tab may have signed out. */
export function useAppStateQuery() {
  const api = useApi()
  return useQuery({
    queryKey: APP_STATE_QUERY_KEY,
    queryFn: () => api.console.state(),
  })
}

const AppStateContext = createContext<ApiConsoleState | null>(null)
export const AppStateProvider = AppStateContext.Provider

export function useAppState(): ApiConsoleState {
  const state = use(AppStateContext)
  if (!state) throw new Error('useAppState needs an AppStateProvider above it')
  return state
}

/** Returns the signed-in user. Throws outside of the layout for signed-in users. */
export function useSignedInUser(): ApiUser {
  const { user } = useAppState()
  if (!user) throw new Error('useUser needs a signed-in user')
  return user
}

export function cacheSignInResult(queries: QueryClient, { user, csrfToken }: ApiSignedIn): void {
  updateState(queries, (state) => ({ ...state, setupNeeded: false, user, csrfToken }))
}

export function cacheChangedUser(queries: QueryClient, user: ApiUser): void {
  updateState(queries, (state) => ({ ...state, user }))
}

/** Clears all cached data, so that the next user of this browser can't see it. */
export function clearCachedUserData(queries: QueryClient): void {
  updateState(queries, (state) => ({ ...state, user: null, csrfToken: null }))
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== APP_STATE_QUERY_KEY[0] })
}

export function readCachedCsrfToken(queries: QueryClient): string | null {
  return queries.getQueryData<ApiConsoleState>(APP_STATE_QUERY_KEY)?.csrfToken ?? null
}

function updateState(
  queries: QueryClient,
  change: (state: ApiConsoleState) => ApiConsoleState,
): void {
  queries.setQueryData<ApiConsoleState>(APP_STATE_QUERY_KEY, (state) => state && change(state))
}

/** Options of an infinite query whose pages name the next one. */
export const CURSOR_PAGES = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
}

/** Returns a function that reloads the data whose keys start with one of these, and resolves when it has arrived. */
export function useReload(...keys: string[]): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })))
  }
}
