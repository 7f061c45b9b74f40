import { ApiError } from '../../api/api-error.ts'
import { useApi } from '../../api/app-state.tsx'
import { promptNameToTaskName, useRunTask } from '../../tasks/use-run-task.ts'

const MAX_TASK_NAME_LENGTH = 64
const TRIAL_SUFFIX = '-trial'

/** Runs a prompt once, through a task for trials that never starts by itself, and opens the page of the run. */
export function useTryPrompt(): (
  promptName: string,
  variables: readonly string[],
) => Promise<void> {
  const api = useApi()
  const run = useRunTask()
  return async (promptName, variables) => {
    const start = promptNameToTaskName(promptName).slice(
      0,
      MAX_TASK_NAME_LENGTH - TRIAL_SUFFIX.length,
    )
    const name = start + TRIAL_SUFFIX
    const task = { name, promptName, enabled: false, ...toTrigger(variables) }
    await api.post('/web/tasks', task).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'task_exists') throw error
    })
    await run(name)
  }
}

/** A run on demand of a task with a trigger is about the newest meeting or document. */
function toTrigger(variables: readonly string[]) {
  if (variables.includes('meeting')) return { trigger: { on: 'meeting_ended' } }
  return variables.includes('document') ? { trigger: { on: 'document_saved' } } : {}
}
