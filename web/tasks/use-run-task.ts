import { useNavigate } from '@tanstack/react-router'
import type { WirePrompt, WireRunTask } from '../../src/http/shapes/tasks.ts'
import { ApiError } from '../api/api-error.ts'
import { useApi } from '../api/app-state.tsx'
import { taskApiPath, useRefreshTasks } from './queries.ts'

/** Runs a task and goes to the page of the run. */
export function useRunTask(): (name: string) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useRefreshTasks()
  return async (name) => {
    const { executionId } = await api.post<WireRunTask>(`${taskApiPath(name)}/run`)
    void refresh()
    await navigate({ to: '/runs/$executionId', params: { executionId } })
  }
}

/** A task on demand for a prompt, made where there is none of that name, and run at once. */
export function useRunPrompt(): (promptName: string) => Promise<void> {
  const api = useApi()
  const run = useRunTask()
  return async (promptName) => {
    const name = promptName.replaceAll('/', '-').slice(0, 64)
    await api.post('/web/tasks', { name, promptName }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'task_exists') throw error
    })
    await run(name)
  }
}

const SAMPLE_PROMPT = 'daily-digest'

/** The first task of a set-up: a prompt that needs no language model. */
export function useRunSampleTask(): () => Promise<void> {
  const api = useApi()
  const run = useRunPrompt()
  return async () => {
    const { prompts } = await api.get<{ prompts: WirePrompt[] }>('/web/prompts')
    const fit = prompts.filter(
      ({ builtin, problems }) => builtin !== undefined && problems.length === 0,
    )
    const chosen = fit.find(({ name }) => name === SAMPLE_PROMPT) ?? fit[0]
    if (!chosen) {
      throw new ApiError('There is no prompt that runs without a language model.', {
        status: 0,
        code: 'no_sample_prompt',
        hint: 'Put one with the setting “builtin: digest” into the folder scheduled-prompts.',
      })
    }
    await run(chosen.name)
  }
}
