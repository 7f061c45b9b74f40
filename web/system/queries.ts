import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../api/use-api.tsx'
import type { ApiClient } from '../api/client.ts'

/** Nodes are not in the event stream, so the page polls them. */
const REFRESH_MS = 5_000
const INSTALLATION_REFRESH_MS = 1_000
/** Timeout of one check of `hansard doctor`. It is long, because a deep check joins a simulated meeting. */
const CHECK_TIMEOUT_MS = 180_000

type SystemPart = 'people' | keyof ApiClient['system']

function useSystemQuery<Answer>(
  part: SystemPart,
  read: (api: ApiClient) => Promise<Answer>,
  refetchInterval: number | false = false,
) {
  const api = useApi()
  return useQuery({ queryKey: ['system', part], queryFn: () => read(api), refetchInterval })
}

export const usePeople = () => useSystemQuery('people', (api) => api.people.list())
export const useBotAccounts = () =>
  useSystemQuery('botAccounts', (api) => api.system.botAccounts(), REFRESH_MS)
export const useCheckNames = () => useSystemQuery('checks', (api) => api.system.checks())
export const useVersions = () => useSystemQuery('versions', (api) => api.system.versions())
export const useStorageUsage = () => useSystemQuery('storage', (api) => api.system.storage())
export const useNodes = () => useSystemQuery('nodes', (api) => api.system.nodes(), REFRESH_MS)
export const useProjectSummaries = () => useSystemQuery('projects', (api) => api.system.projects())
export const useModelSettings = () => useSystemQuery('models', (api) => api.system.models())

/** The installation of speech recognition is not in the event stream, so the page polls it while it runs. */
export function useSpeechStatus() {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'speech'],
    queryFn: () => api.system.speech(),
    refetchInterval: ({ state }) =>
      state.data?.installation.phase === 'running' ? INSTALLATION_REFRESH_MS : false,
  })
}

/** Runs a check of `hansard doctor` when it is first shown. A deep check runs only if the user asks for it. */
export function useSystemCheck(name: string, runsOnlyOnRequest: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'check', name],
    queryFn: () => api.system.check(name, { timeoutMs: CHECK_TIMEOUT_MS }),
    enabled: !runsOnlyOnRequest,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** Reloads one part of the System page after a change. Resolves when the new data has arrived. */
export function useRefreshSystemQuery(part: SystemPart): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['system', part] })
}
