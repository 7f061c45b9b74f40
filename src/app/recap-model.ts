import { createAskModelFunction } from '../ai/ask-once.ts'
import { ModelFailure } from '../ai/model.ts'
import { findRecapModelName } from '../config/model-settings.ts'
import type { RecapModel } from '../recap/model/model-recap.ts'
import { addRecapTokens } from '../recap/store/stored-recap.ts'
import { wrapInDocumentTags } from '../tasks/prompts/document-block.ts'
import { createMeteredModel, type MeteredModelParts } from './metered-model.ts'

const ANSWER_TIMEOUT_MS = 180_000
const MAX_OUTPUT_TOKENS = 6_000
/** Input and output of one request. A part of a meeting has up to 12,000 estimated tokens; the estimate can be too low. */
const MAX_TOKENS_PER_REQUEST = 100_000

/** Null when no language model is configured for recaps; they are then made by rules only. */
export function createRecapModel(parts: MeteredModelParts): RecapModel | null {
  const name = findRecapModelName(parts.config)
  if (name === null) return null
  const model = createMeteredModel(parts, { name, usageName: '(recap)' })
  return {
    name,
    async ask(meetingId, { system, facts, participants, transcript, format }, signal) {
      await model.requireBudget()
      const ask = createAskModelFunction(
        model.find,
        async (usage) => {
          await model.addUsage(usage, { meetingId }, (tx, used) =>
            addRecapTokens(tx, meetingId, used),
          )
        },
        { timeoutMs: ANSWER_TIMEOUT_MS, maxOutputTokens: MAX_OUTPUT_TOKENS },
      )
      const prompt = [
        facts,
        wrapInDocumentTags('participants', participants),
        wrapInDocumentTags('transcript', transcript),
      ].join('\n\n')
      const question = { system, prompt, format, maxTokens: MAX_TOKENS_PER_REQUEST }
      const answer = await ask(question, () => undefined, signal)
      if (answer !== null) return answer
      throw new ModelFailure('A part of the meeting is too long for the model', false)
    },
  }
}
