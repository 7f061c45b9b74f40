import { sql } from 'kysely'
import { readsProject } from '../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../access/viewer.ts'
import type { TokenUsage } from './model.ts'
import type { Db, Tx } from '../db/database.ts'

/** The usage of one task with one model on one day. */
export type UsageRow = {
  day: string
  taskName: string
  model: string
  executions: number
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** The cost of the executions with a known price; null if there are none. */
  costUsd: number | null
  /** How many executions have no known price. */
  unpriced: number
  /** How many executions have token counts that are partly estimated. */
  estimated: number
}

export type TokenAndCostBudget = {
  dailyTokens: number | undefined
  monthlyUsd: number | undefined
}

/** Formats the UTC date, such as `2026-11-15`. */
export function formatUtcDate(at: Date): string {
  return at.toISOString().slice(0, 10)
}

export async function addUsage(
  tx: Tx,
  used: TokenUsage & {
    at: Date
    taskName: string
    model: string
    costUsd: number | null
    /** The project of the task or meeting; null if there is none. */
    project: string | null
  },
): Promise<void> {
  await sql`
    insert into model_usage (day, task_name, model, project, executions, input_tokens, cached_input_tokens,
      output_tokens, cost_usd, unpriced, estimated)
    values (${formatUtcDate(used.at)}, ${used.taskName}, ${used.model}, ${used.project ?? ''}, 1, ${used.inputTokens},
      ${used.cachedInputTokens}, ${used.outputTokens}, ${used.costUsd ?? 0},
      ${used.costUsd === null ? 1 : 0}, ${used.isEstimated ? 1 : 0})
    on conflict (day, task_name, model, project) do update set
      executions = model_usage.executions + 1,
      input_tokens = model_usage.input_tokens + excluded.input_tokens,
      cached_input_tokens = model_usage.cached_input_tokens + excluded.cached_input_tokens,
      output_tokens = model_usage.output_tokens + excluded.output_tokens,
      cost_usd = model_usage.cost_usd + excluded.cost_usd,
      unpriced = model_usage.unpriced + excluded.unpriced,
      estimated = model_usage.estimated + excluded.estimated
  `.execute(tx)
}

/** The usage in the projects that the viewer may read, between two days, both inclusive, newest first. */
export async function listUsage(
  db: Db,
  viewer: Viewer,
  fromDay: string,
  toDay: string,
): Promise<UsageRow[]> {
  const rows = await db
    .selectFrom('model_usage')
    .select(['day', 'task_name', 'model'])
    .select(({ fn }) => [
      fn.sum<string>('executions').as('executions'),
      fn.sum<string>('input_tokens').as('input_tokens'),
      fn.sum<string>('cached_input_tokens').as('cached_input_tokens'),
      fn.sum<string>('output_tokens').as('output_tokens'),
      fn.sum<number>('cost_usd').as('cost_usd'),
      fn.sum<string>('unpriced').as('unpriced'),
      fn.sum<string>('estimated').as('estimated'),
    ])
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .where(readsUsage(viewer))
    .groupBy(['day', 'task_name', 'model'])
    .orderBy('day', 'desc')
    .orderBy('task_name')
    .orderBy('model')
    .execute()
  return rows.map((row) => ({
    day: row.day,
    taskName: row.task_name,
    model: row.model,
    executions: Number(row.executions),
    inputTokens: Number(row.input_tokens),
    cachedInputTokens: Number(row.cached_input_tokens),
    outputTokens: Number(row.output_tokens),
    costUsd: Number(row.unpriced) < Number(row.executions) ? row.cost_usd : null,
    unpriced: Number(row.unpriced),
    estimated: Number(row.estimated),
  }))
}

/** SQL condition: the viewer may read the usage's project. A limited viewer sees no usage without a project. */
function readsUsage(viewer: Viewer) {
  if (isUnrestricted(viewer)) return sql<boolean>`true`
  return readsProject(viewer, 'model_usage.project')
}

/** The tokens and cost of all tasks since a day, including that day. */
export async function sumAllTasksTokensAndCostSince(
  db: Db,
  from: string,
): Promise<{ tokens: number; usd: number }> {
  const { rows } = await sql<{ tokens: string; usd: number }>`
    select coalesce(sum(input_tokens + output_tokens), 0)::text as tokens,
      coalesce(sum(cost_usd), 0) as usd
    from model_usage where day >= ${from}
  `.execute(db)
  return { tokens: Number(rows[0]?.tokens ?? 0), usd: rows[0]?.usd ?? 0 }
}

export type ModelUsageSum = {
  model: string
  /** Input tokens that were not cached. */
  input: number
  cachedInput: number
  output: number
  costUsd: number
}

/** All usage of the instance so far, by model. */
export async function sumUsageByModel(db: Db): Promise<ModelUsageSum[]> {
  const { rows } = await sql<ModelUsageSum>`
    select model, sum(greatest(input_tokens - cached_input_tokens, 0))::float8 as input,
      sum(cached_input_tokens)::float8 as "cachedInput", sum(output_tokens)::float8 as output,
      sum(cost_usd)::float8 as "costUsd"
    from model_usage group by model order by model`.execute(db)
  return rows
}

/** True if today's token budget or this month's cost budget is used up. Days and months are in UTC. */
export async function isBudgetUsedUp(
  db: Db,
  budget: TokenAndCostBudget,
  now: Date,
): Promise<boolean> {
  const { dailyTokens, monthlyUsd } = budget
  const today = formatUtcDate(now)
  if (
    dailyTokens !== undefined &&
    (await sumAllTasksTokensAndCostSince(db, today)).tokens >= dailyTokens
  )
    return true
  if (monthlyUsd === undefined) return false
  return (await sumAllTasksTokensAndCostSince(db, `${today.slice(0, 7)}-01`)).usd >= monthlyUsd
}
