import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WireUsersAndInvitations } from '../../src/http/shapes/account.ts'
import type { WireCheckedBotAccount } from '../../src/http/shapes/bot-accounts.ts'
import type { WireProjectSummaries } from '../../src/http/shapes/project-access.ts'
import type {
  WireAvailableChecks,
  WireCheckResult,
  WireModelSettings,
  WireNodes,
  WireStorage,
  WireVersions,
  WireSpeechStatus,
} from '../../src/http/shapes/system.ts'
import { useApi } from '../api/app-state.tsx'

/** Nodes are not in the event stream, so the page polls them. */
const REFRESH_MS = 5_000
const INSTALLATION_REFRESH_MS = 1_000
/** Timeout of one check of `hansard doctor`. It is long, because a deep check joins a simulated meeting. */
const CHECK_TIMEOUT_MS = 180_000

const PATHS = {
  people: '/web/people',
  'bot-accounts': '/web/system/bot-accounts',
  checks: '/web/system/checks',
  versions: '/web/system/versions',
  storage: '/web/system/storage',
  nodes: '/web/system/nodes',
  speech: '/web/system/speech',
  models: '/web/system/models',
  projects: '/web/system/projects',
} as const

type SystemPart = keyof typeof PATHS

function useSystemQuery<Answer>(part: SystemPart, refetchInterval: number | false = false) {
  const api = useApi()
  return useQuery({
    queryKey: ['system', part],
    queryFn: () => api.get<Answer>(PATHS[part]),
    refetchInterval,
  })
}

export const usePeople = () => useSystemQuery<WireUsersAndInvitations>('people')
export const useBotAccounts = () =>
  useSystemQuery<{ botAccounts: WireCheckedBotAccount[] }>('bot-accounts', REFRESH_MS)
export const useCheckNames = () => useSystemQuery<WireAvailableChecks>('checks')
export const useVersions = () => useSystemQuery<WireVersions>('versions')
export const useStorageUsage = () => useSystemQuery<WireStorage>('storage')
export const useNodes = () => useSystemQuery<WireNodes>('nodes', REFRESH_MS)
export const useProjectSummaries = () => useSystemQuery<WireProjectSummaries>('projects')
export const useModelSettings = () => useSystemQuery<WireModelSettings>('models')

/** The installation of speech recognition is not in the event stream, so the page polls it while it runs. */
export function useSpeechStatus() {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'speech'],
    queryFn: () => api.get<WireSpeechStatus>(PATHS.speech),
    refetchInterval: ({ state }) =>
      state.data?.installation.phase === 'running' ? INSTALLATION_REFRESH_MS : false,
  })
}

/** Runs a check of `hansard doctor` when it is first shown. A deep check runs only if the user asks for it. */
export function useSystemCheck(name: string, runsOnlyOnRequest: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'check', name],
    queryFn: () =>
      api.post<WireCheckResult>(
        `/web/system/checks/${encodeURIComponent(name)}`,
        undefined,
        CHECK_TIMEOUT_MS,
      ),
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
