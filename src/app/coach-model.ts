import { createAskModelFunction } from '../ai/ask-once.ts'
import { findModelConfigProblem } from '../ai/providers.ts'
import { needsMasterKey } from '../config/config.ts'
import { toModelSettings } from '../config/model-settings.ts'
import type { CoachModelOpener } from '../meetings/attending/attend.ts'
import { addUsedCoachTokens, readUsedCoachTokens } from '../meetings/record/coach-tokens.ts'
import { createMeteredModel, type MeteredModelParts } from './metered-model.ts'

/**
 * Null when no language model is configured for the coach, or when this node only attends meetings and was not given
 * the key of the model. The coach then uses only its rules.
 */
export function createCoachModelOpener(parts: MeteredModelParts): CoachModelOpener | null {
  const name = parts.config.aiCoachModel
  if (name === undefined || name.startsWith('builtin/')) return null
  if (
    !needsMasterKey(parts.config) &&
    findModelConfigProblem(toModelSettings(parts.config), name) !== null
  )
    return null
  const model = createMeteredModel(parts, { name, usageName: '(coach)' })
  return async (meetingId) => {
    const ask = createAskModelFunction(model.find, async (usage) => {
      await model.addUsage(usage, { meetingId }, (tx, { tokens }) =>
        addUsedCoachTokens(tx, meetingId, tokens),
      )
    })
    return {
      usedTokens: await readUsedCoachTokens(parts.db, meetingId),
      async ask(question, onTokens, signal) {
        await model.requireBudget()
        return ask(question, onTokens, signal)
      },
    }
  }
}
