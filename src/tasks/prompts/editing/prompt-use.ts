import { readsProjectOrNone } from '../../../access/project-condition.ts'
import { memberIdOf, type Viewer } from '../../../access/viewer.ts'
import type { Db } from '../../../db/database.ts'
import { isTrialTask } from '../../task-store.ts'

/** The tasks that use a prompt, as the viewer sees them. Excludes trials. */
export type PromptUse = {
  /** The names of the tasks that the viewer may read, sorted. */
  tasks: string[]
  /** True if there are tasks that the viewer may not read. Only people who could change the prompt may learn this. */
  hasHiddenTasks: boolean
  /** True if one of the tasks runs with the rights of another person or of the instance. */
  isUsedByOthers: boolean
}

/** The use of every prompt that tasks use, or only of `promptName`, by name of the prompt. */
export async function listPromptUse(
  db: Db,
  viewer: Viewer,
  promptName?: string,
): Promise<Map<string, PromptUse>> {
  const rows = await db
    .selectFrom('task')
    .select(['name', 'prompt_name as promptName', 'owner_id as ownerId'])
    .select(readsProjectOrNone(viewer, 'task.project').as('isReadable'))
    .where((eb) => eb.not(isTrialTask()))
    .$if(promptName !== undefined, (query) => query.where('prompt_name', '=', promptName ?? ''))
    .orderBy('name')
    .execute()
  const uses = new Map<string, PromptUse>()
  const userId = memberIdOf(viewer)
  for (const { name, promptName: prompt, ownerId, isReadable } of rows) {
    const use = uses.get(prompt) ?? noPromptUse()
    uses.set(prompt, use)
    if (isReadable) use.tasks.push(name)
    else use.hasHiddenTasks = true
    use.isUsedByOthers ||= ownerId === null || ownerId !== userId
  }
  return uses
}

export async function findPromptUse(
  db: Db,
  viewer: Viewer,
  promptName: string,
): Promise<PromptUse> {
  return (await listPromptUse(db, viewer, promptName)).get(promptName) ?? noPromptUse()
}

export function noPromptUse(): PromptUse {
  return { tasks: [], hasHiddenTasks: false, isUsedByOthers: false }
}
