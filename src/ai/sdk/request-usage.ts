import type { ContentPart, LanguageModelUsage, ToolSet } from 'ai'
import { z } from 'zod'
import { estimateTokens } from '../../lib/text/words.ts'
import type { TokenCount, ModelListener, ModelRequest, ModelTool } from '../model.ts'

/** Token counts that the provider reported; undefined if it did not report them. */
export type ReportedUsage = {
  inputTokens: number | undefined
  cachedInputTokens: number | undefined
  outputTokens: number | undefined
}

type SdkUsage = {
  inputTokens: number | undefined
  inputTokenDetails?: { cacheReadTokens: number | undefined }
  outputTokens: number | undefined
}

const NOTHING_REPORTED: ReportedUsage = {
  inputTokens: undefined,
  cachedInputTokens: undefined,
  outputTokens: undefined,
}

/** A round trip that ended: the parts of an AI SDK step that matter for tokens. */
export type EndedRoundTrip = {
  usage: Pick<LanguageModelUsage, 'inputTokens' | 'inputTokenDetails' | 'outputTokens'>
  content: ReadonlyArray<ContentPart<ToolSet>>
}

/** What the next round trip may use. */
type RequestPlan = { inputTokens: number; maxOutputTokens: number }

/** The minimum output tokens for which a request is worth sending. OpenAI refuses requests that allow fewer. */
const MIN_OUTPUT_TOKENS = 16

type TextReaders = Readonly<Record<string, (part: never) => unknown>>

/** The texts that the model wrote in a round trip. */
const OUTPUT_TEXTS: TextReaders = {
  text: ({ text }: { text: string }) => text,
  reasoning: ({ text }: { text: string }) => text,
  'tool-call': ({ input }: { input: unknown }) => input,
}
/** The texts that the model gets as additional input in the next round trip. */
const TOOL_RESULT_TEXTS: TextReaders = {
  'tool-result': ({ output }: { output: unknown }) => output,
  'tool-error': ({ error }: { error: unknown }) => String(error),
}

/** Reads the counts that the AI SDK found at the end of a request. */
export function readSdkUsage({
  inputTokens,
  inputTokenDetails,
  outputTokens,
}: SdkUsage): ReportedUsage {
  return {
    // Every request has input, so 0 means that the server filled in a number that it does not know.
    inputTokens: validCount(inputTokens) || undefined,
    cachedInputTokens: validCount(inputTokenDetails?.cacheReadTokens),
    outputTokens: validCount(outputTokens),
  }
}

/** Where providers report counts in events during a stream. The counts in one list are added up. */
const COUNTS_IN_EVENTS = {
  inputTokens: [
    // Anthropic, in its first event.
    [
      ['message', 'usage', 'input_tokens'],
      ['message', 'usage', 'cache_read_input_tokens'],
      ['message', 'usage', 'cache_creation_input_tokens'],
    ],
    // Google, in each event.
    [['usageMetadata', 'promptTokenCount']],
    // OpenAI-compatible servers that report usage in each event.
    [['usage', 'prompt_tokens']],
  ],
  outputTokens: [
    [
      ['usageMetadata', 'candidatesTokenCount'],
      ['usageMetadata', 'thoughtsTokenCount'],
    ],
    [['usage', 'completion_tokens']],
  ],
} as const

/** Reads the counts in an event of a stream, in the provider's own format. */
export function readEventUsage(
  event: unknown,
): Pick<ReportedUsage, 'inputTokens' | 'outputTokens'> {
  return {
    inputTokens: readFirstSum(event, COUNTS_IN_EVENTS.inputTokens) || undefined,
    outputTokens: readFirstSum(event, COUNTS_IN_EVENTS.outputTokens) || undefined,
  }
}

type Path = readonly string[]

function readFirstSum(event: unknown, alternatives: ReadonlyArray<readonly Path[]>): number {
  for (const paths of alternatives) {
    const sum = paths.reduce((total, path) => total + (validCount(readPath(event, path)) ?? 0), 0)
    if (sum > 0) return sum
  }
  return 0
}

function readPath(event: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[key]
        : undefined,
    event,
  )
}

/** Replaces counts that the provider did not report with estimates. */
export function fillUsageWithEstimates(
  reported: ReportedUsage,
  estimate: { inputTokens: number; outputTokens: number },
): TokenCount {
  const { inputTokens, cachedInputTokens } = reported
  // A server that reports 0 for an answer with text does not count output tokens.
  const outputTokens =
    reported.outputTokens === 0 && estimate.outputTokens > 0 ? undefined : reported.outputTokens
  return {
    inputTokens: inputTokens ?? estimate.inputTokens,
    cachedInputTokens: cachedInputTokens ?? 0,
    outputTokens: outputTokens ?? estimate.outputTokens,
    isEstimated: inputTokens === undefined || outputTokens === undefined,
  }
}

const MAX_TOKEN_COUNT = 1e9

/** Drops counts that are negative, fractional or absurdly large, because not all providers report valid ones. */
function validCount(value: unknown): number | undefined {
  const isCount = Number.isSafeInteger(value) && Number(value) >= 0
  return isCount && Number(value) <= MAX_TOKEN_COUNT ? Number(value) : undefined
}

/**
 * Counts the tokens of the request in progress, from the provider's reports or else from the length of the texts. A run
 * that is aborted never receives the provider's count, but its tokens are charged.
 */
export function createOpenRequestTokenCounter(
  listener: Pick<ModelListener, 'onOpenRequest' | 'onTokens'>,
) {
  let open: { inputTokens: number; writtenTokens: number; reportedTokens: number } | null = null
  const estimate = () => ({
    inputTokens: open?.inputTokens ?? 0,
    outputTokens: Math.max(Math.ceil(open?.writtenTokens ?? 0), open?.reportedTokens ?? 0),
  })
  const publish = () => listener.onOpenRequest(fillUsageWithEstimates(NOTHING_REPORTED, estimate()))
  const close = (reported: ReportedUsage) => {
    const count = fillUsageWithEstimates(reported, estimate())
    open = null
    listener.onTokens(count)
  }
  return {
    /** Call when a request with about this much input is sent. */
    begin(inputTokens: number): void {
      open = { inputTokens, writtenTokens: 0, reportedTokens: 0 }
      publish()
    },
    addOutput(text: string): void {
      if (open === null) return
      open.writtenTokens += estimateTokens(text)
      publish()
    },
    /** Reads the usage in an event of the provider's stream, if it has any. */
    addEvent(event: unknown): void {
      const { inputTokens, outputTokens = 0 } = readEventUsage(event)
      if (open === null || (inputTokens === undefined && outputTokens === 0)) return
      open.inputTokens = inputTokens ?? open.inputTokens
      open.reportedTokens = Math.max(open.reportedTokens, outputTokens)
      publish()
    },
    end(reported: ReportedUsage): void {
      if (open !== null) close(reported)
    },
    /** The request in progress failed. A refused request is not charged. */
    fail(isRefused: boolean): void {
      if (open === null) return
      if (!isRefused) return close(NOTHING_REPORTED)
      open = null
      listener.onOpenRequest(null)
    },
  }
}

export type OpenRequestTokenCounter = ReturnType<typeof createOpenRequestTokenCounter>

/** Divides a request's `maxTokens` among its round trips. Each round trip sends all earlier ones again as input. */
export function createNextRequestPlanner(
  request: Pick<ModelRequest, 'system' | 'prompt' | 'tools' | 'maxOutputTokens' | 'maxTokens'>,
) {
  const { system, prompt, tools, maxOutputTokens, maxTokens } = request
  const toolTokens = tools.reduce((sum, tool) => sum + estimateTool(tool), 0)
  const firstInputTokens = Math.ceil(estimateTokens(system) + estimateTokens(prompt) + toolTokens)
  return {
    /** The estimated input of the first round trip. */
    firstInputTokens,
    /** Plans the round trip after these steps. Null if `maxTokens` leaves no room for it. */
    planRequest(steps: readonly EndedRoundTrip[]): RequestPlan | null {
      let inputTokens = firstInputTokens
      let left = maxTokens
      for (const { usage, content } of steps) {
        const outputEstimate = Math.ceil(estimateContent(content, OUTPUT_TEXTS))
        const estimate = { inputTokens, outputTokens: outputEstimate }
        const used = fillUsageWithEstimates(readSdkUsage(usage), estimate)
        left -= used.inputTokens + used.outputTokens
        const toolResults = Math.ceil(estimateContent(content, TOOL_RESULT_TEXTS))
        inputTokens = used.inputTokens + used.outputTokens + toolResults
      }
      const room = left - inputTokens
      if (room < Math.min(maxOutputTokens, MIN_OUTPUT_TOKENS)) return null
      return { inputTokens, maxOutputTokens: Math.min(maxOutputTokens, room) }
    },
  }
}

export type NextRequestPlanner = ReturnType<typeof createNextRequestPlanner>

function estimateTool({ name, description, input }: ModelTool): number {
  const schema = 'json' in input ? input.json : z.toJSONSchema(input)
  return estimateTokens(`${name} ${description} ${JSON.stringify(schema)}`)
}

function estimateContent(content: EndedRoundTrip['content'], texts: TextReaders): number {
  return content.reduce((sum, part) => {
    const value = texts[part.type]?.(part as never) ?? ''
    return sum + estimateTokens(typeof value === 'string' ? value : JSON.stringify(value))
  }, 0)
}
