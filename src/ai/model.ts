import type { z } from 'zod'

/** What a language model is asked. */
export type ModelRequest = {
  /** What it is and what rules hold; the same for every question, so that a provider can keep it. */
  system: string
  prompt: string
  tools: readonly ModelTool[]
  temperature: number | undefined
  maxOutputTokens: number
  /** The answer is JSON of this form. */
  format?: z.ZodObject
  /** So many times it may call tools and go on. */
  maxSteps: number
  /** Used up, it is asked no further and the answer is what there is. */
  maxTokens: number
}

/** Something the model may look up. Ours only ever read. */
export type ModelTool = {
  name: string
  description: string
  /** Checked here, or a JSON schema from elsewhere, which whoever wrote it checks. */
  input: z.ZodObject | { json: object }
  run(input: unknown, signal: AbortSignal): Promise<string>
}

/** By the provider's word; undefined where it said nothing. */
export type TokenCount = {
  inputTokens: number | undefined
  cachedInputTokens: number | undefined
  outputTokens: number | undefined
}

/** Told while the answer comes, so that nothing is lost when it breaks off. */
export type ModelListener = {
  onText(text: string): void
  /** The provider begins to answer: from here on something is used. */
  onStep(): void
  /** One round trip to the provider is over. */
  onTokens(count: TokenCount): void
}

/** A language model at some provider. Nothing here knows about tasks, storage or HTTP. */
export interface Model {
  /** `provider/model`. */
  readonly name: string
  /** The whole text. Throws a ModelFailure, or the reason of the signal. */
  answer(question: ModelRequest, listener: ModelListener, signal: AbortSignal): Promise<string>
}

/** The model gave no answer. The text is for a person and holds no secret. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  /** The same may work in a moment. */
  readonly isTransient: boolean

  constructor(text: string, isTransient: boolean, cause?: unknown) {
    super(text, { cause })
    this.isTransient = isTransient
  }
}
