import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WirePeople } from '../../src/http/shapes/account.ts'
import type { WireExaminedAccount } from '../../src/http/shapes/bot-accounts.ts'
import type {
  WireChecks,
  WireFinding,
  WireModels,
  WireNodes,
  WireStorage,
  WireVersions,
} from '../../src/http/shapes/system.ts'
import { useApi } from '../app-state.tsx'

/** Nodes come and go; nothing tells the page of it. */
const REFRESH_MS = 5_000
/** A deep check joins meetings on a stage. */
const CHECK_MS = 180_000

const PATHS = {
  people: '/web/people',
  'bot-accounts': '/web/system/bot-accounts',
  checks: '/web/system/checks',
  versions: '/web/system/versions',
  storage: '/web/system/storage',
  nodes: '/web/system/nodes',
  models: '/web/system/models',
} as const

type Part = keyof typeof PATHS

function usePart<Answer>(part: Part, refetchInterval: number | false = false) {
  const api = useApi()
  return useQuery({
    queryKey: ['system', part],
    queryFn: () => api.get<Answer>(PATHS[part]),
    refetchInterval,
  })
}

export const usePeople = () => usePart<WirePeople>('people')
export const useBotAccounts = () =>
  usePart<{ botAccounts: WireExaminedAccount[] }>('bot-accounts', REFRESH_MS)
export const useCheckNames = () => usePart<WireChecks>('checks')
export const useVersions = () => usePart<WireVersions>('versions')
export const useStorage = () => usePart<WireStorage>('storage')
export const useNodes = () => usePart<WireNodes>('nodes', REFRESH_MS)
export const useModels = () => usePart<WireModels>('models')

/** Runs when it is first shown, unless it takes long; `refetch` runs it again. */
export function useCheck(name: string, isDeep: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'check', name],
    queryFn: () =>
      api.post<WireFinding>(`/web/system/checks/${encodeURIComponent(name)}`, undefined, CHECK_MS),
    enabled: !isDeep,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** Reads a list anew after a change; resolves when the new one is there. */
export function useRefresh(part: Part): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['system', part] })
}
