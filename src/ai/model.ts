import type { z } from 'zod'
import type { TruncationReason } from './truncation.ts'

export type ModelRequest = {
  /** The model's role and rules. Identical in every request, so that the provider can cache it. */
  system: string
  prompt: string
  tools: readonly ModelTool[]
  temperature: number | undefined
  maxOutputTokens: number
  /**
   * The schema of the answer. If given, the model answers in JSON instead of plain text. `system` must also name the
   * fields, because some servers accept no schema and others ignore it.
   */
  format?: z.ZodObject
  /** How many round trips the model may make. Each one may call tools. */
  maxSteps: number
  /**
   * How many input and output tokens all round trips together may use. Each one's output is limited to the remaining
   * tokens. If too few remain, no further round trip is made, and the text so far is the answer.
   */
  maxTokens: number
}

/** A tool that the model may call. The tools built into Hansard can only read. */
export type ModelTool = {
  name: string
  description: string
  /** A Zod schema is validated here. A JSON schema comes from a tool server, which validates the input itself. */
  input: z.ZodObject | { json: object }
  run(input: unknown, signal: AbortSignal): Promise<string>
}

/** The tokens of one request to the provider. */
export type TokenCount = {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** True if a count is estimated from the length of the texts, because the provider did not report it. */
  isEstimated: boolean
}

/** Receives text and token counts while the model answers, so that neither is lost if the answer breaks off. */
export type ModelListener = {
  onText(text: string): void
  /**
   * The estimated usage of the request in progress. It is used if the request never ends. Null if the provider refused
   * the request and charges nothing for it.
   */
  onOpenRequest(estimate: TokenCount | null): void
  /** The request in progress ended and used these tokens. */
  onTokens(count: TokenCount): void
}

export type ModelAnswer = {
  text: string
  /** Null if the answer is complete. */
  truncatedBy: TruncationReason | null
}

/** A provider's language model. The interface is independent of tasks, storage and HTTP. */
export interface Model {
  /** `provider/model`, for example `openai/gpt-5`. */
  readonly name: string
  /** Resolves with the whole answer. Rejects with a `ModelFailure`, or with the signal's abort reason. */
  answer(request: ModelRequest, listener: ModelListener, signal: AbortSignal): Promise<ModelAnswer>
}

/** The model gave no answer. The message is written for people and contains no secrets. */
export class ModelFailure extends Error {
  override readonly name: string = 'ModelFailure'
  /** True if the same request may succeed when it is retried soon. */
  readonly isTransient: boolean

  constructor(message: string, isTransient: boolean, cause?: unknown) {
    super(message, { cause })
    this.isTransient = isTransient
  }
}

/** The request was not sent, because `maxTokens` leaves no room for its input and an answer. */
export class TokenLimitFailure extends ModelFailure {
  override readonly name = 'TokenLimitFailure'

  constructor(message: string) {
    super(message, false)
  }
}

/** The tokens that a model used. `isEstimated`: the provider did not report all of them, so the rest is estimated. */
export type TokenUsage = TokenCount

/** Adds up the tokens of all requests, including the one in progress. */
export type TokenMeter = Pick<ModelListener, 'onOpenRequest' | 'onTokens'> & {
  usage(): TokenUsage
}

export function createTokenMeter(): TokenMeter {
  let ended: TokenCount = {
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    isEstimated: false,
  }
  let open: TokenCount | null = null
  return {
    onOpenRequest: (estimate) => void (open = estimate),
    onTokens(count) {
      open = null
      ended = addTokenCounts(ended, count)
    },
    usage: () => (open === null ? ended : addTokenCounts(ended, open)),
  }
}

function addTokenCounts(a: TokenCount, b: TokenCount): TokenCount {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + Math.min(b.cachedInputTokens, b.inputTokens),
    outputTokens: a.outputTokens + b.outputTokens,
    isEstimated: a.isEstimated || b.isEstimated,
  }
}
