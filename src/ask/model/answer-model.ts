import type { TruncationReason } from '../../ai/truncation.ts'
import type { ModelCost } from '../answer.ts'
import type { AskPrompt } from './prompt.ts'

/** A language model that answers questions. */
export interface AnswerModel {
  readonly name: string
  /** Whether the budget for models is used up, so that none may be asked now. */
  isBudgetUsedUp(): Promise<boolean>
  /**
   * Asks once. The text comes in pieces, and the tokens when the attempt is over, also after a failure. Rejects with a
   * ModelFailure.
   */
  ask(prompt: AskPrompt, attempt: AnswerAttempt): Promise<AnswerEnd>
}

type AnswerAttempt = {
  timeoutMs: number
  /** The project of all lines that the model is given; null when they are of several. */
  project: string | null
  /** Aborts when the caller does not wait for the answer any more. */
  signal: AbortSignal
  onText(text: string): void
  onUsed(used: ModelCost): void
}

/** How an attempt ended. `truncatedBy` is null for a whole answer. */
export type AnswerEnd =
  | { ended: 'done'; truncatedBy: TruncationReason | null }
  | { ended: 'late' }
  | { ended: 'aborted' }
