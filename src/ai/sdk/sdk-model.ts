import {
  isStepCount,
  jsonSchema,
  Output,
  streamText,
  tool,
  type LanguageModel,
  type LanguageModelUsage,
} from 'ai'
import { toModelFailure, type ProviderSecret } from './model-failures.ts'
import {
  ModelFailure,
  type ModelListener,
  type Model,
  type ModelTool,
  type ModelRequest,
} from '../model.ts'

// Stops the AI SDK from printing its warnings to the console.
globalThis.AI_SDK_LOG_WARNINGS = false

/** How often the AI SDK retries a request that the provider answered with 408, 409, 429 or 5xx. */
const HTTP_RETRIES = 2
const TOOL_TIMEOUT_MS = 10_000

const INTERRUPTED_MESSAGE = "The provider's answer broke off"
/** Finish reasons with which the AI SDK marks an incomplete answer, and the message for each. */
const INCOMPLETE_MESSAGES: Readonly<Record<string, string>> = {
  error: 'The provider ended its answer with an error',
  other: INTERRUPTED_MESSAGE,
  unknown: INTERRUPTED_MESSAGE,
}

/** Adapts a language model of the AI SDK to the `Model` interface. */
export function createSdkModel(
  name: string,
  languageModel: LanguageModel,
  secret: ProviderSecret | null,
): Model {
  return {
    name,
    async answer(request, listener, signal) {
      try {
        return await streamAnswer(languageModel, request, listener, signal)
      } catch (error) {
        signal.throwIfAborted()
        throw toModelFailure(error, name, secret)
      }
    },
  }
}

async function streamAnswer(
  model: LanguageModel,
  request: ModelRequest,
  listener: ModelListener,
  signal: AbortSignal,
): Promise<string> {
  const { system, prompt, temperature, maxOutputTokens, maxSteps, maxTokens } = request
  let usedTokens = 0
  const result = streamText({
    model,
    instructions: system,
    prompt,
    tools: toSdkTools(request.tools, signal),
    ...(temperature !== undefined && { temperature }),
    maxOutputTokens,
    ...(request.format !== undefined && { output: Output.object({ schema: request.format }) }),
    stopWhen: [isStepCount(maxSteps), () => usedTokens >= maxTokens],
    maxRetries: HTTP_RETRIES,
    timeout: { toolMs: TOOL_TIMEOUT_MS },
    abortSignal: signal,
    // The loop below reads errors from the stream. Without this listener the AI SDK prints them.
    onError: () => undefined,
  })
  const steps: string[] = ['']
  let finishReason = 'unknown'
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') {
      steps[steps.length - 1] += part.text
      listener.onText(part.text)
    } else if (part.type === 'finish-step') {
      const count = toTokenCount(part.usage)
      usedTokens += (count.inputTokens ?? 0) + (count.outputTokens ?? 0)
      listener.onTokens(count)
      steps.push('')
    } else if (part.type === 'start-step') listener.onStep()
    else if (part.type === 'finish') finishReason = part.finishReason
    else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') signal.throwIfAborted()
  }
  const incompleteMessage = INCOMPLETE_MESSAGES[finishReason]
  if (incompleteMessage !== undefined) throw new ModelFailure(incompleteMessage, true)
  return lastStepText(steps, usedTokens >= maxTokens)
}

/** The text of the last step that has any. Text before a tool call is only a remark, not part of the answer. */
function lastStepText(steps: string[], isOverTokenLimit: boolean): string {
  const text = steps.findLast((step) => step.trim() !== '')
  if (text !== undefined) return text
  const reason = isOverTokenLimit ? 'it had used up maxTokens' : 'its answer is empty'
  throw new ModelFailure(`The model gave no text: ${reason}`, false)
}

function toSdkTools(tools: readonly ModelTool[], signal: AbortSignal) {
  return Object.fromEntries(
    tools.map(({ name, description, input, run }) => [
      name,
      tool({
        description,
        inputSchema: 'json' in input ? jsonSchema(input.json) : input,
        execute: (toolInput: unknown, { abortSignal }) => run(toolInput, abortSignal ?? signal),
      }),
    ]),
  )
}

/** Drops counts that are negative, fractional or absurdly large: providers do not always report valid ones. */
function toTokenCount({ inputTokens, inputTokenDetails, outputTokens }: LanguageModelUsage) {
  return {
    inputTokens: validCount(inputTokens),
    cachedInputTokens: validCount(inputTokenDetails?.cacheReadTokens),
    outputTokens: validCount(outputTokens),
  }
}

const MAX_TOKEN_COUNT = 1e9

function validCount(value: number | undefined): number | undefined {
  const isCount =
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKEN_COUNT
  return isCount ? value : undefined
}
