import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { useApi, useReload } from '../api/use-api.tsx'

/** Runs a task and opens the page of the run. */
export function useRunTask(): (name: string) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useReload('tasks')
  return async (name) => {
    const { executionId } = await api.tasks.run(name)
    void refresh()
    await navigate({ to: '/runs/$executionId', params: { executionId } })
  }
}

/** Runs a prompt immediately, through an on-demand task that is created if it does not exist. */
export function useRunPrompt(): (promptName: string) => Promise<void> {
  const api = useApi()
  const run = useRunTask()
  return async (promptName) => {
    const name = promptNameToTaskName(promptName)
    await api.tasks.create({ name, promptName }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'task_exists') throw error
    })
    await run(name)
  }
}

/** A valid task name for a prompt. Prompt names may contain slashes and be longer. */
export function promptNameToTaskName(promptName: string): string {
  return promptName.replaceAll('/', '-').slice(0, 64)
}

const SAMPLE_PROMPT = 'daily-digest'

/** Runs a sample task for a new user, with a prompt that needs no language model. */
export function useRunSampleTask(): () => Promise<void> {
  const api = useApi()
  const run = useRunPrompt()
  return async () => {
    const { prompts } = await api.prompts.list()
    const candidates = prompts.filter(
      ({ builtin, problems }) => builtin !== undefined && problems.length === 0,
    )
    const chosen = candidates.find(({ name }) => name === SAMPLE_PROMPT) ?? candidates[0]
    if (!chosen) {
      throw new ApiError('No prompt runs without a language model.', {
        status: 0,
        code: 'no_sample_prompt',
        hint: 'Add a prompt with the setting “builtin: digest” to the folder scheduled-prompts.',
      })
    }
    await run(chosen.name)
  }
}
