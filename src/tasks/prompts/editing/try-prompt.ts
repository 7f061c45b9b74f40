import type { Viewer } from '../../../access/viewer.ts'
import type { Db } from '../../../db/database.ts'
import { ServiceError, throwIfAnyErrors } from '../../../errors.ts'
import type { Executions } from '../../executions/executions.ts'
import type { Tasks } from '../../tasks.ts'
import { createTrialTaskName, listEndedTrials } from '../../trial-task.ts'
import type { TaskTrigger } from '../../triggers/task-trigger.ts'
import { readPrompt } from '../prompt-files.ts'
import type { TemplateRenderer } from '../template/template-renderer.ts'
import { checkTemplate } from './find-prompt-notes.ts'
import type { PromptFiles } from '../store/prompt-storage.ts'

/** Runs a prompt once and resolves with the id of the execution. */
export type TryPrompt = (viewer: Viewer, promptName: string) => Promise<string>

type Parts = {
  db: Db
  promptFiles: PromptFiles
  tasks: Pick<Tasks, 'create' | 'remove' | 'findCreateProblems'>
  executions: Pick<Executions, 'run'>
  checkRenderer: TemplateRenderer
}

/** Replaces the ended trials of the same person, even if they were of other prompts. */
export function createTryPrompt({ db, tasks, executions, ...parts }: Parts): TryPrompt {
  return async (viewer, promptName) => {
    if (viewer.kind !== 'user') throw new ServiceError('forbidden')
    throwIfAnyErrors(await tasks.findCreateProblems({ promptName }))
    const trigger = await findTrigger(parts, promptName)
    for (const ended of await listEndedTrials(db, viewer.userId))
      await removeUnlessGone(tasks, ended)
    const name = createTrialTaskName(viewer.userId)
    const nothingToStore = async () => {}
    await tasks.create(viewer, name, { promptName, trigger, enabled: false }, nothingToStore)
    return executions.run(name, nothingToStore)
  }
}

/** Another trial of the same person may have removed it. */
async function removeUnlessGone(tasks: Pick<Tasks, 'remove'>, name: string): Promise<void> {
  try {
    await tasks.remove(name)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'task_not_found')) throw error
  }
}

/** A run on demand of a task with a trigger is about the newest meeting or document. */
async function findTrigger(
  { promptFiles, checkRenderer }: Pick<Parts, 'promptFiles' | 'checkRenderer'>,
  promptName: string,
): Promise<TaskTrigger | null> {
  const reading = await readPrompt(promptFiles, promptName)
  if (reading.state !== 'ready') return null
  const { variables } = await checkTemplate(reading.prompt, checkRenderer)
  if (variables.includes('meeting')) return { on: 'meeting_ended' }
  return variables.includes('document') ? { on: 'document_saved' } : null
}
