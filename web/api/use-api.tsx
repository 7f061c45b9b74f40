import { createContext, use } from 'react'
import {
  type InfiniteData,
  useQuery,
  useInfiniteQuery,
  keepPreviousData,
  useQueryClient,
  type QueryClient,
  type UseQueryOptions,
  type QueryKey,
} from '@tanstack/react-query'
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
export const useAppStateQuery = () => useApiQuery(APP_STATE_QUERY_KEY, (api) => api.console.state())

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

type QueryOptions<Answer> = Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'>

/** Reads something of the API. `queryKey` begins with the name by which it is reloaded. */
export function useApiQuery<Answer>(
  queryKey: QueryKey,
  read: (api: ApiClient) => Promise<Answer>,
  options: QueryOptions<Answer> = {},
) {
  const api = useApi()
  return useQuery({ queryKey, queryFn: () => read(api), ...options })
}

interface PagesOptions<Page> {
  /** False if the previous list must not stay while another one is read, for example with another filter. */
  keepsPrevious?: boolean
  enabled?: boolean
  refetchInterval?:
    | number
    | ((query: { state: { data?: InfiniteData<Page> | undefined } }) => number | false)
}

/** Reads a list page by page. */
export function useApiPages<Page extends { nextCursor: string | null }>(
  queryKey: QueryKey,
  read: (api: ApiClient, cursor: string | undefined) => Promise<Page>,
  { keepsPrevious = true, ...options }: PagesOptions<Page> = {},
) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(api, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    ...options,
  })
}

/** Names of data that can be reloaded. The keys of its queries begin with them. */
export type DataName =
  | 'actions'
  | 'bot-accounts'
  | 'calendar-accounts'
  | 'calendar-apps'
  | 'calendars'
  | 'comments'
  | 'connections'
  | 'deliveries'
  | 'decisions'
  | 'mail'
  | 'meeting'
  | 'meetings'
  | 'notifications'
  | 'people'
  | 'projects'
  | 'project-summaries'
  | 'provisioning'
  | 'recap'
  | 'recordings'
  | 'sessions'
  | 'shares'
  | 'sign-in-methods'
  | 'speech'
  | 'tasks'
  | 'tokens'
  | 'upcoming'
  | 'usable-bot-accounts'

/** Returns a function that reloads this data, and resolves when it has arrived. */
export function useReload(...names: readonly DataName[]): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }
}
