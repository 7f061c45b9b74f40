import { sql } from 'kysely'
import { readsSource } from '../../access/execution-source.ts'
import { readsProjectOrNone } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import type { ExecutionStatus } from '../task.ts'

/** Duration and tokens of the latest executions of a task, oldest first, for a small chart. */
export type RecentTaskExecutions = {
  name: string
  recent: Array<{
    status: ExecutionStatus
    isCancelled: boolean
    /** Null while the execution runs. */
    durationMs: number | null
    inputTokens: number
    outputTokens: number
  }>
}

/** The largest number of tasks in one query. */
export const MAX_TASKS_PER_QUERY = 50
const MAX_RECENT_EXECUTIONS = 20

/** Reads the latest executions of several tasks in one query, whose cost does not grow with the history of a task. */
export async function findRecentExecutionsOfTasks(
  db: Db,
  viewer: Viewer,
  names: readonly string[],
): Promise<RecentTaskExecutions[]> {
  const { rows } = await sql<RecentTaskExecutions>`
    select task.name, coalesce(latest.recent, '[]') as recent
    from task, lateral (
      select json_agg(json_build_object(
        'status', status,
        'isCancelled', is_cancelled,
        'durationMs', greatest(0, round(extract(epoch from completed_at - started_at) * 1000)),
        'inputTokens', input_tokens,
        'outputTokens', output_tokens
      ) order by number) as recent
      from (
        select * from execution where task_id = task.id and ${readsSource(viewer, 'execution')}
        order by number desc limit ${MAX_RECENT_EXECUTIONS}
      ) as newest
    ) as latest
    where task.name = any(${names}) and ${readsProjectOrNone(viewer, 'task.project')}
    order by task.name
  `.execute(db)
  return rows
}
