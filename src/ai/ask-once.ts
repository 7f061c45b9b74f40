import type { z } from 'zod'
import { runUntilDeadlineOrAbort, type DeadlineResult } from '../lib/async/abort.ts'
import {
  ModelFailure,
  TokenLimitFailure,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  createTokenMeter,
  type TokenUsage,
} from './model.ts'

type OneRequest = Omit<ModelRequest, 'tools' | 'temperature' | 'maxSteps'>
type Attempt = {
  timeoutMs: number
  signal: AbortSignal
  /** Receives no text after the time limit, even if the provider still sends some. */
  onText?(text: string): void
  /** Receives the tokens used, even if the request fails. */
  onUsed(used: TokenUsage): Promise<void>
}

/** Sends one request without tools to a model. Rejects with a `ModelFailure`. */
export async function askOnce(
  findModel: () => Promise<Model>,
  request: OneRequest,
  { timeoutMs, signal, onText, onUsed }: Attempt,
): Promise<DeadlineResult<ModelAnswer>> {
  const model = await findModel()
  const meter = createTokenMeter()
  let isOver = false
  const listener = { ...meter, onText: (text: string) => void (isOver || onText?.(text)) }
  const whole = { ...request, tools: [], temperature: undefined, maxSteps: 1 }
  try {
    return await runUntilDeadlineOrAbort(timeoutMs, signal, (inner) =>
      model.answer(whole, listener, inner),
    )
  } finally {
    isOver = true
    await onUsed(meter.usage())
  }
}

/**
 * Asks a language model, and rejects if the request fails. Calls `onTokens` with the used tokens, even if it fails. If
 * `maxTokens` leaves no room for the request, sends nothing and resolves with null.
 */
export type AskModel = (
  question: { system: string; prompt: string; format: z.ZodObject; maxTokens: number },
  onTokens: (tokens: number) => void,
  signal: AbortSignal,
) => Promise<string | null>

const ANSWER_TIMEOUT_MS = 60_000
const MAX_OUTPUT_TOKENS = 1_500

type Options = { timeoutMs?: number; maxOutputTokens?: number }

/** Asks a model for a whole answer and reports the tokens used, even if the request fails. */
export function createAskModelFunction(
  findModel: () => Promise<Model>,
  onUsed: (used: TokenUsage) => Promise<void>,
  { timeoutMs = ANSWER_TIMEOUT_MS, maxOutputTokens = MAX_OUTPUT_TOKENS }: Options = {},
): AskModel {
  return async (question, onTokens, signal) => {
    const request = { ...question, maxOutputTokens }
    try {
      const outcome = await askOnce(findModel, request, {
        timeoutMs,
        signal,
        async onUsed(used) {
          onTokens(used.inputTokens + used.outputTokens)
          await onUsed(used)
        },
      })
      if (outcome.ended !== 'done') throw new ModelFailure('The model did not answer in time', true)
      const { text, truncatedBy } = outcome.value
      if (truncatedBy === null) return text
      throw new ModelFailure(
        `The model's answer is incomplete (${truncatedBy}, at most ${maxOutputTokens} output tokens)`,
        false,
      )
    } catch (error) {
      if (error instanceof TokenLimitFailure) return null
      throw error
    }
  }
}
