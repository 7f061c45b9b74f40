import { ModelFailure } from '../../ai/model.ts'
import type { Db } from '../../db/database.ts'
import { chooseEngine } from '../running/prompt-engine.ts'
import { readPrompt } from '../prompts/prompt-files.ts'
import { formatUtcDate, sumAllTasksTokensAndCostSince } from './usage-store.ts'
import type { PromptFiles } from '../prompts/store/prompt-storage.ts'

export type TokenAndCostBudget = {
  dailyTokens: number | undefined
  monthlyUsd: number | undefined
}

/** Whether the token budget of today or the cost budget of this month is used up. Days and months are in UTC. */
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

type Parts = {
  db: Db
  budget: TokenAndCostBudget
  promptFiles: PromptFiles
  defaultModel: string | null
  time(): Promise<Date>
}

/**
 * Creates a function that returns those of the given prompts that may not run now, because the budget is used up. A
 * prompt that uses no model is never over budget.
 */
export function createBudgetBlockedPromptFinder({
  db,
  budget,
  promptFiles,
  defaultModel,
  time,
}: Parts) {
  const usesModel = async (promptName: string): Promise<boolean> => {
    const reading = await readPrompt(promptFiles, promptName)
    if (reading.state !== 'ready') return false
    try {
      return !chooseEngine(reading.prompt.settings, defaultModel).isBuiltin
    } catch (error) {
      // No model is configured for the prompt, so a run fails without any cost.
      if (error instanceof ModelFailure) return false
      throw error
    }
  }
  return async (promptNames: readonly string[]): Promise<ReadonlySet<string>> => {
    if (!(await isBudgetUsedUp(db, budget, await time()))) return new Set()
    const usesModels = await Promise.all(promptNames.map(usesModel))
    return new Set(promptNames.filter((_, i) => usesModels[i]))
  }
}
