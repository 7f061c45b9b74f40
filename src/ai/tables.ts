import type { ColumnType, Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** Token use and cost by day (UTC), task, model and project. Kept when tasks and executions are deleted. */
    model_usage: {
      day: Immutable<string>
      /** The project of the task or meeting. Empty if there is none. */
      project: Generated<string>
      task_name: Immutable<string>
      model: Immutable<string>
      executions: number
      input_tokens: ColumnType<string, number, never>
      cached_input_tokens: ColumnType<string, number, never>
      output_tokens: ColumnType<string, number, never>
      cost_usd: number
      /** Number of executions whose cost is not known. */
      unpriced: number
      /** Number of executions whose token counts are partly estimated. */
      estimated: Generated<number>
    }
  }
}
