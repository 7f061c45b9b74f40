import type { z } from 'zod'

/** A request to a language model. */
export type ModelRequest = {
  /** The model's role and rules. The same text in every request, so that the provider can cache it. */
  system: string
  prompt: string
  tools: readonly ModelTool[]
  temperature: number | undefined
  maxOutputTokens: number
  /** The schema of the answer. With it the model answers in JSON instead of plain text. */
  format?: z.ZodObject
  /** How many round trips the model may make, each of which may call tools. */
  maxSteps: number
  /** Once the model has used this many tokens it gets no further round trip. Its text so far is the answer. */
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

/** Token counts that the provider reported, or undefined where it reported none. */
export type TokenCount = {
  inputTokens: number | undefined
  cachedInputTokens: number | undefined
  outputTokens: number | undefined
}

/** Receives text and token counts while the model answers, so that neither is lost when the answer breaks off. */
export type ModelListener = {
  onText(text: string): void
  /** A round trip starts. From here on the provider charges tokens. */
  onStep(): void
  /** A round trip to the provider ended and used these tokens. */
  onTokens(count: TokenCount): void
}

/** A language model of a provider. The interface is independent of tasks, storage and HTTP. */
export interface Model {
  /** `provider/model`, for example `openai/gpt-5`. */
  readonly name: string
  /** Resolves with the complete answer. Throws a ModelFailure, or the abort reason of the signal. */
  answer(request: ModelRequest, listener: ModelListener, signal: AbortSignal): Promise<string>
}

/** The model gave no answer. The message is written for people and contains no secret. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  /** True when the same request may succeed if it is retried soon. */
  readonly isTransient: boolean

  constructor(message: string, isTransient: boolean, cause?: unknown) {
    super(message, { cause })
    this.isTransient = isTransient
  }
}
