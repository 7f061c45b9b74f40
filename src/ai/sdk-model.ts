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
} from './model.ts'

// The library prints its warnings otherwise.
globalThis.AI_SDK_LOG_WARNINGS = false

/** The library waits and tries again so often where the provider says that it may work: 408, 409, 429 and 5xx. */
const HTTP_RETRIES = 2
const TOOL_TIMEOUT_MS = 10_000

/** Ends of an answer that are none. */
const INTERRUPTED_MESSAGE = 'The answer of the provider broke off'
const INCOMPLETE_MESSAGES: Readonly<Record<string, string>> = {
  error: 'The provider broke off its answer with an error',
  other: INTERRUPTED_MESSAGE,
  unknown: INTERRUPTED_MESSAGE,
}

/** Any model that the AI SDK knows, as ours. */
export function createSdkModel(
  name: string,
  languageModel: LanguageModel,
  secret: ProviderSecret | null,
): Model {
  return {
    name,
    async answer(question, listener, signal) {
      try {
        return await streamAnswer(languageModel, question, listener, signal)
      } catch (error) {
        signal.throwIfAborted()
        throw toModelFailure(error, name, secret)
      }
    },
  }
}

async function streamAnswer(
  model: LanguageModel,
  question: ModelRequest,
  listener: ModelListener,
  signal: AbortSignal,
): Promise<string> {
  const { system, prompt, temperature, maxOutputTokens, maxSteps, maxTokens } = question
  let used = 0
  const result = streamText({
    model,
    instructions: system,
    prompt,
    tools: toSdkTools(question.tools, signal),
    ...(temperature !== undefined && { temperature }),
    maxOutputTokens,
    ...(question.format !== undefined && { output: Output.object({ schema: question.format }) }),
    stopWhen: [isStepCount(maxSteps), () => used >= maxTokens],
    maxRetries: HTTP_RETRIES,
    timeout: { toolMs: TOOL_TIMEOUT_MS },
    abortSignal: signal,
    // Read from the stream below; without a listener the library prints it.
    onError: () => undefined,
  })
  const steps: string[] = ['']
  let end = 'unknown'
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') {
      steps[steps.length - 1] += part.text
      listener.onText(part.text)
    } else if (part.type === 'finish-step') {
      const count = toTokenCount(part.usage)
      used += (count.inputTokens ?? 0) + (count.outputTokens ?? 0)
      listener.onTokens(count)
      steps.push('')
    } else if (part.type === 'start-step') listener.onStep()
    else if (part.type === 'finish') end = part.finishReason
    else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') signal.throwIfAborted()
  }
  const broken = INCOMPLETE_MESSAGES[end]
  if (broken !== undefined) throw new ModelFailure(broken, true)
  return lastStepText(steps, used >= maxTokens)
}

/** The last thing it said; what came before were remarks on the way. */
function lastStepText(steps: string[], isCut: boolean): string {
  const text = steps.findLast((step) => step.trim() !== '')
  if (text !== undefined) return text
  const why = isCut ? 'it had used up maxTokens by then' : 'its answer is empty'
  throw new ModelFailure(`The model gave no text: ${why}`, false)
}

function toSdkTools(tools: readonly ModelTool[], signal: AbortSignal) {
  return Object.fromEntries(
    tools.map(({ name, description, input, run }) => [
      name,
      tool({
        description,
        inputSchema: 'json' in input ? jsonSchema(input.json) : input,
        execute: (given: unknown, { abortSignal }) => run(given, abortSignal ?? signal),
      }),
    ]),
  )
}

/** Only numbers that can be counts; a provider may say anything. */
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
