import { askOnce } from '../ai/ask-once.ts'
import type { AnswerModel } from '../ask/model/answer-model.ts'
import { findAskModelName } from '../config/model-settings.ts'
import { wrapInDocumentTags } from '../tasks/prompts/document-block.ts'
import { createMeteredModel, type MeteredModelParts } from './metered-model.ts'

const MAX_OUTPUT_TOKENS = 2_000
/** Input and output of one request. The excerpts have up to 48,000 characters, in some scripts as many tokens. */
const MAX_TOKENS_PER_REQUEST = 100_000

/** Null when no language model is configured for questions; they are then answered with passages only. */
export function createAnswerModel(parts: MeteredModelParts): AnswerModel | null {
  const name = findAskModelName(parts.config)
  if (name === null) return null
  const model = createMeteredModel(parts, { name, usageName: '(ask)' })
  return {
    name,
    isBudgetUsedUp: model.isBudgetUsedUp,
    async ask({ system, excerpts, question }, { timeoutMs, project, signal, onText, onUsed }) {
      const blocks = excerpts.map(({ title, text }) => wrapInDocumentTags(title, text))
      const request = {
        system,
        prompt: `${blocks.join('\n\n')}\n\n${question}`,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        maxTokens: MAX_TOKENS_PER_REQUEST,
      }
      const outcome = await askOnce(model.find, request, {
        timeoutMs,
        signal,
        onText,
        async onUsed(usage) {
          const costUsd = await model.addUsage(usage, { project })
          const { inputTokens, cachedInputTokens, outputTokens } = usage
          onUsed({ inputTokens, cachedInputTokens, outputTokens, costUsd })
        },
      })
      if (outcome.ended !== 'done') return outcome
      return { ended: 'done', truncatedBy: outcome.value.truncatedBy }
    },
  }
}
