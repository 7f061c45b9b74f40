import { readsProjectOrNone } from '../../../access/project-condition.ts'
import { memberIdOf, type Viewer } from '../../../access/viewer.ts'
import type { Db } from '../../../db/database.ts'

/** The tasks that use a prompt, as one viewer sees them. */
export type PromptUse = {
  /** The names of the tasks that the viewer may read, sorted. */
  tasks: string[]
  /** How many further tasks there are. */
  hiddenTasks: number
  /** Whether one of the tasks runs with the rights of another person or of the instance. */
  isUsedByOthers: boolean
}

/** The use of every prompt that a task uses, by the name of the prompt; or only of one prompt. */
export async function listPromptUse(
  db: Db,
  viewer: Viewer,
  promptName?: string,
): Promise<Map<string, PromptUse>> {
  const rows = await db
    .selectFrom('task')
    .select(['name', 'prompt_name as promptName', 'owner_id as ownerId'])
    .select(readsProjectOrNone(viewer, 'task.project').as('isReadable'))
    .$if(promptName !== undefined, (query) => query.where('prompt_name', '=', promptName ?? ''))
    .orderBy('name')
    .execute()
  const uses = new Map<string, PromptUse>()
  const userId = memberIdOf(viewer)
  for (const { name, promptName: prompt, ownerId, isReadable } of rows) {
    const use = uses.get(prompt) ?? noPromptUse()
    uses.set(prompt, use)
    if (isReadable) use.tasks.push(name)
    else use.hiddenTasks += 1
    use.isUsedByOthers ||= ownerId === null || ownerId !== userId
  }
  return uses
}

export function noPromptUse(): PromptUse {
  return { tasks: [], hiddenTasks: 0, isUsedByOthers: false }
}
