import {
  isStepCount,
  jsonSchema,
  Output,
  streamText,
  tool,
  type LanguageModel,
  type TextStreamPart,
  type ToolSet,
  type Warning,
} from 'ai'
import {
  ModelFailure,
  TokenLimitFailure,
  type ModelAnswer,
  type ModelListener,
  type ModelRequest,
  type ModelTool,
} from '../model.ts'
import type { TruncationReason } from '../truncation.ts'
import {
  createNextRequestPlanner,
  type EndedRoundTrip,
  type NextRequestPlanner,
  type OpenRequestTokenCounter,
  readSdkUsage,
} from './request-usage.ts'

/** How to ask for JSON: with its schema, as any JSON object, or only in the words of the prompt. */
export const JSON_OUTPUT_MODES = ['schema', 'json', 'text'] as const

export type JsonOutputMode = (typeof JSON_OUTPUT_MODES)[number]

/** How often the AI SDK retries a request that the provider answered with 408, 409, 429 or 5xx. */
const HTTP_RETRIES = 2

const TOOL_TIMEOUT_MS = 10_000

const INTERRUPTED_MESSAGE = "The provider's answer broke off"

/** The finish reasons with which the AI SDK marks an answer that ended with an error, each with a message. */
const FAILED_MESSAGES: Readonly<Record<string, string>> = {
  error: 'The provider ended its answer with an error',
  other: INTERRUPTED_MESSAGE,
  unknown: INTERRUPTED_MESSAGE,
}

const NO_TEXT_MESSAGES: Readonly<Record<TruncationReason | 'complete', string>> = {
  length: 'it reached maxOutputTokens, or its own limit, before it wrote any',
  max_tokens: 'it had used up maxTokens',
  max_steps: 'it had used up maxSteps',
  content_filter: 'the provider withheld it',
  complete: 'its answer is empty',
}

export type StreamAnswerOptions = {
  model: LanguageModel
  request: ModelRequest
  format: JsonOutputMode
  listener: Pick<ModelListener, 'onText'>
  counter: OpenRequestTokenCounter
  onWarnings(warnings: readonly Warning[]): void
  /** Called for every event in the provider's stream. */
  onEvent(): void
  signal: AbortSignal
}

const START = /^\s*<think(?:ing)?>/i

const END = /<\/think(?:ing)?>/i

const LONGEST_START = '<thinking>'

const LONGEST_END = '</thinking>'

/** Asks the model and reads its answer while it is written, with as many round trips as its tool calls need. */
export async function streamAnswer(options: StreamAnswerOptions): Promise<ModelAnswer> {
  const { request, signal } = options
  const budget = createNextRequestPlanner(request)
  requireRoom(budget, request)
  const ended: EndedRoundTrip[] = []
  const result = startStream(options, budget, ended)
  const texts: string[] = ['']
  let reasoning = createReasoningSkipper()
  const addText = (text: string) => {
    texts[texts.length - 1] += text
    if (text !== '') options.listener.onText(text)
  }
  let finishReason = 'unknown'
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') addText(reasoning.add(part.text))
    else if (part.type === 'finish-step') {
      addText(reasoning.end())
      reasoning = createReasoningSkipper()
      texts.push('')
    } else if (part.type === 'finish') finishReason = part.finishReason
    else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') signal.throwIfAborted()
  }
  const failedMessage = FAILED_MESSAGES[finishReason]
  if (failedMessage !== undefined) throw new ModelFailure(failedMessage, true)
  const truncatedBy = findTruncation(finishReason, budget, ended, request)
  return { text: findLastText(texts, truncatedBy), truncatedBy }
}

function startStream(
  stream: StreamAnswerOptions,
  budget: NextRequestPlanner,
  ended: EndedRoundTrip[],
) {
  const { request, counter, signal } = stream
  const { system, prompt, temperature, maxOutputTokens, maxSteps } = request
  const tools: ToolSet = toSdkTools(request.tools, signal)
  return streamText({
    model: stream.model,
    instructions: system,
    prompt,
    tools,
    ...(temperature !== undefined && { temperature }),
    maxOutputTokens,
    ...toOutput(request, stream.format),
    stopWhen: [isStepCount(maxSteps), ({ steps }) => budget.planRequest(steps) === null],
    prepareStep({ steps }) {
      const plan = budget.planRequest(steps)
      counter.begin(plan?.inputTokens ?? budget.firstInputTokens)
      return { maxOutputTokens: plan?.maxOutputTokens ?? maxOutputTokens }
    },
    onChunk: ({ chunk }) => countChunk(stream, chunk),
    // Called before the next step is prepared, unlike the loop that reads the stream.
    onStepEnd(step) {
      counter.end(readSdkUsage(step.usage))
      stream.onWarnings(step.warnings ?? [])
      ended.push(step)
    },
    // Needed to detect a server that does not answer with events, and for counts before the end.
    include: { rawChunks: true },
    maxRetries: HTTP_RETRIES,
    timeout: { toolMs: TOOL_TIMEOUT_MS },
    abortSignal: signal,
    // Errors reach the loop that reads the stream. Without this listener, the AI SDK would also print them.
    onError: () => undefined,
  })
}

function countChunk(
  { counter, onEvent }: StreamAnswerOptions,
  chunk: Partial<TextStreamPart<ToolSet>>,
): void {
  if (chunk.type === 'raw') {
    onEvent()
    counter.addEvent(chunk.rawValue)
  } else if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') {
    counter.addOutput(chunk.text ?? '')
  } else if (chunk.type === 'tool-input-delta') counter.addOutput(chunk.delta ?? '')
}

function requireRoom(budget: NextRequestPlanner, { maxTokens }: ModelRequest): void {
  if (budget.planRequest([]) !== null) return
  throw new TokenLimitFailure(
    `The prompt has about ${budget.firstInputTokens} tokens, so maxTokens (${maxTokens}) leaves no room for an answer`,
  )
}

function toOutput({ format }: ModelRequest, answerFormat: JsonOutputMode) {
  if (format === undefined || answerFormat === 'text') return {}
  return { output: answerFormat === 'schema' ? Output.object({ schema: format }) : Output.json() }
}

function findTruncation(
  finishReason: string,
  budget: NextRequestPlanner,
  ended: readonly EndedRoundTrip[],
  { maxOutputTokens }: ModelRequest,
): TruncationReason | null {
  if (finishReason === 'content-filter') return 'content_filter'
  if (finishReason === 'tool-calls') {
    return budget.planRequest(ended) === null ? 'max_tokens' : 'max_steps'
  }
  if (finishReason !== 'length') return null
  const plan = budget.planRequest(ended.slice(0, -1))
  return plan !== null && plan.maxOutputTokens < maxOutputTokens ? 'max_tokens' : 'length'
}

/** The text of the last step that has any. Text before a tool call is only a remark and not part of the answer. */
function findLastText(texts: string[], truncatedBy: TruncationReason | null): string {
  const text = texts.findLast((step) => step.trim() !== '')
  if (text !== undefined) return text
  const reason = NO_TEXT_MESSAGES[truncatedBy ?? 'complete']
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

/** Leaves out the reasoning that some models write in tags at the beginning. The text arrives in pieces. */
export function createReasoningSkipper() {
  let mode: 'beginning' | 'reasoning' | 'afterReasoning' | 'answer' = 'beginning'
  let pending = ''
  const takePending = () => {
    const text = pending
    pending = ''
    return text
  }
  return {
    /** Returns the part of the text that belongs to the answer and was not returned before. */
    add(text: string): string {
      if (mode === 'answer') return text
      pending += text
      if (mode === 'beginning') {
        const beginning = pending.trimStart().toLowerCase()
        if (LONGEST_START.startsWith(beginning)) return ''
        mode = START.test(pending) ? 'reasoning' : 'answer'
      }
      if (mode === 'reasoning') {
        const end = END.exec(pending)
        // The end tag may be split between two pieces.
        pending =
          end === null
            ? pending.slice(-LONGEST_END.length)
            : pending.slice(end.index + end[0].length)
        if (end === null) return ''
        mode = 'afterReasoning'
      }
      if (mode === 'afterReasoning') {
        pending = pending.trimStart()
        if (pending === '') return ''
        mode = 'answer'
      }
      return takePending()
    },
    /** Returns the remaining text when the text has ended. */
    end: () => (mode === 'beginning' ? takePending() : ''),
  }
}
