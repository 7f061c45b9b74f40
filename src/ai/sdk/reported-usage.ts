import type { TokenCount } from '../model.ts'

/** Token counts that the provider reported, or undefined where it reported none. */
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

/** Reads the counts that the AI SDK found at the end of a request. */
export function readSdkUsage({
  inputTokens,
  inputTokenDetails,
  outputTokens,
}: SdkUsage): ReportedUsage {
  return {
    // Every request has input, so 0 means that the server filled in a number it does not know.
    inputTokens: validCount(inputTokens) || undefined,
    cachedInputTokens: validCount(inputTokenDetails?.cacheReadTokens),
    outputTokens: validCount(outputTokens),
  }
}

/** Where providers report counts in the events of a stream, before it ends. The counts under one list are added up. */
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
    // Servers with an OpenAI-compatible API that report usage in each event.
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

/** Reads the counts of one event of a stream, in the provider's own form. */
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
  // A server that reports 0 for an answer with text does not count it.
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

/** Drops counts that are negative, fractional or absurdly large: providers do not always report valid ones. */
function validCount(value: unknown): number | undefined {
  const isCount = Number.isSafeInteger(value) && Number(value) >= 0
  return isCount && Number(value) <= MAX_TOKEN_COUNT ? Number(value) : undefined
}
