import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useApi, useApiQuery } from '../api/use-api.tsx'
import type { ApiTask, ApiRecentExecutions } from '../../src/http/shapes/tasks.ts'
import { isNotFoundError } from '../api/api-error.ts'

/** Tasks are not in the event stream, so pages poll them, more often while a task is running. */
const REFRESH_MS = { running: 2_000, streaming: 5_000, idle: 10_000, long: 60_000 }
/** A longer task list is slow to read, so it is polled rarely. */
const LONG_LIST = 500
export const RUNS_PER_PAGE = 30

export function useTasks() {
  return useApiQuery(['tasks', 'all'], (api) => api.tasks.list(), {
    refetchInterval: ({ state }) => refreshInterval(state.data?.tasks ?? []),
  })
}

function refreshInterval(tasks: readonly ApiTask[]): number {
  if (tasks.length > LONG_LIST) return REFRESH_MS.long
  return tasks.some(({ lastStatus }) => lastStatus === 'running')
    ? REFRESH_MS.running
    : REFRESH_MS.idle
}

export function useTask(name: string) {
  return useApiQuery(['tasks', 'one', name], (api) => api.tasks.get(name), {
    refetchInterval: ({ state: { data, error } }) =>
      data && !isNotFoundError(error) ? refreshInterval([data.task]) : false,
  })
}

/** One page of a task's runs. The first page is 1. */
export function useTaskHistory(name: string, page: number) {
  const api = useApi()
  const query = { limit: RUNS_PER_PAGE, offset: (page - 1) * RUNS_PER_PAGE }
  return useQuery({
    queryKey: ['tasks', 'history', name, page],
    queryFn: () => api.tasks.history(name, query),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.executions.some(({ status }) => status === 'running')
        ? REFRESH_MS.running
        : REFRESH_MS.idle,
  })
}

/** Reads one run of a task, repeatedly while it runs. The run's output comes through a separate stream. */
export function useExecution(executionId: string) {
  return useApiQuery(
    ['tasks', 'execution', executionId],
    (api) => api.executions.get(executionId),
    {
      refetchInterval: ({ state: { data, error } }) =>
        data?.execution.status === 'running' && !isNotFoundError(error)
          ? REFRESH_MS.streaming
          : false,
    },
  )
}

export const usePrompts = () => useApiQuery(['tasks', 'prompts'], (api) => api.prompts.list())

/** Every prompt with what it needs, who may change it and which tasks use it. */
export const usePromptGallery = () =>
  useApiQuery(['tasks', 'prompt-gallery'], (api) => api.prompts.gallery())

export function useTokenUsageLast30Days() {
  return useApiQuery(['tasks', 'usage'], (api) => api.usage.list(), {
    refetchInterval: REFRESH_MS.long,
  })
}

/** Durations and tokens of the latest runs, by task name. */
export function useTaskFiguresByName(
  names: readonly string[],
): ReadonlyMap<string, ApiRecentExecutions> {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['tasks', 'figures', names],
    queryFn: () => api.tasks.figures({ of: names.join(',') }),
    enabled: names.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS.idle,
  })
  return new Map(data?.figures.map((figures) => [figures.name, figures]))
}
