import { useApiQuery } from '../api/use-api.tsx'

/** Nodes and bot accounts are not in the event stream, so the page polls them. */
export const REFRESH_MS = 5_000

export const usePeople = () => useApiQuery(['people'], (api) => api.people.list())

export const useNodes = () =>
  useApiQuery(['nodes'], (api) => api.system.nodes(), { refetchInterval: REFRESH_MS })
