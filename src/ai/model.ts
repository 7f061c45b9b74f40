import type { z } from 'zod'
import type { TruncationReason } from './truncation.ts'

/** A request to a language model. */
export type ModelRequest = {
  /** The model's role and rules. The same text in every request, so that the provider can cache it. */
  system: string
  prompt: string
  tools: readonly ModelTool[]
  temperature: number | undefined
  maxOutputTokens: number
  /**
   * The schema of the answer. With it the model answers in JSON instead of plain text. `system` must also name the
   * fields, because some servers take no schema and others ignore it.
   */
  format?: z.ZodObject
  /** How many round trips the model may make, each of which may call tools. */
  maxSteps: number
  /**
   * How many tokens, input and output together, all round trips may use. The output of each is limited to what is left,
   * and one for which too little is left is not made. The text so far is then the answer.
   */
  maxTokens: number
}

/** A tool that the model may call. The tools built into Hansard only read. */
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
  /** Whether a count is estimated from the length of the texts, because the provider did not report it. */
  isEstimated: boolean
}

/** Receives text and token counts while the model answers, so that neither is lost when the answer breaks off. */
export type ModelListener = {
  onText(text: string): void
  /**
   * What the request in progress has used so far, estimated. It counts if the request never ends. Null when the
   * provider refused the request and charges nothing for it.
   */
  onOpenRequest(estimate: TokenCount | null): void
  /** The request in progress ended and used these tokens. */
  onTokens(count: TokenCount): void
}

export type ModelAnswer = {
  text: string
  /** Null when the answer is complete. */
  truncatedBy: TruncationReason | null
}

/** A language model of a provider. The interface is independent of tasks, storage and HTTP. */
export interface Model {
  /** `provider/model`, for example `openai/gpt-5`. */
  readonly name: string
  /** Resolves with the whole answer. Throws a ModelFailure, or the abort reason of the signal. */
  answer(request: ModelRequest, listener: ModelListener, signal: AbortSignal): Promise<ModelAnswer>
}

/** The model gave no answer. The message is written for people and contains no secret. */
export class ModelFailure extends Error {
  override readonly name: string = 'ModelFailure'
  /** True when the same request may succeed if it is retried soon. */
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

/** The tokens that a model used. `isEstimated`: the provider did not report all of them, and the rest is estimated. */
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
