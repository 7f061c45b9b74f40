import { ModelFailure } from '../../ai/model.ts'
import type { Db } from '../../db/database.ts'
import { chooseEngine } from '../running/prompt-engine.ts'
import { readPrompt } from '../prompts/prompt-files.ts'
import { toUtcDay, sumUsageSince } from './usage-store.ts'

export type Budget = {
  dailyTokens: number | undefined
  monthlyUsd: number | undefined
}

/** Whether what may be used today and this month is used up. Days and months are those of UTC. */
export async function isBudgetUsedUp(db: Db, budget: Budget, now: Date): Promise<boolean> {
  const { dailyTokens, monthlyUsd } = budget
  const today = toUtcDay(now)
  if (dailyTokens !== undefined && (await sumUsageSince(db, today)).tokens >= dailyTokens)
    return true
  if (monthlyUsd === undefined) return false
  return (await sumUsageSince(db, `${today.slice(0, 7)}-01`)).usd >= monthlyUsd
}

type Parts = {
  db: Db
  budget: Budget
  promptsDir: string
  defaultModel: string | null
  time(): Promise<Date>
}

/** Which of these prompts may not run now. Only those that would cost something can be over a budget. */
export function createBudgetCheck({ db, budget, promptsDir, defaultModel, time }: Parts) {
  const usesModel = async (promptName: string): Promise<boolean> => {
    const reading = await readPrompt(promptsDir, promptName)
    if (reading.state !== 'ready') return false
    try {
      return !chooseEngine(reading.prompt.settings, defaultModel).isBuiltin
    } catch (error) {
      if (error instanceof ModelFailure) return false
      throw error
    }
  }
  return async (promptNames: readonly string[]): Promise<ReadonlySet<string>> => {
    if (!(await isBudgetUsedUp(db, budget, await time()))) return new Set()
    const isPaid = await Promise.all(promptNames.map(usesModel))
    return new Set(promptNames.filter((_, i) => isPaid[i]))
  }
}
