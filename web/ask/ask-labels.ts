import type { AnswerLimit } from '../../src/http/shapes/values.ts'

/** Why there is no complete answer of a language model. */
export const ANSWER_LIMIT_TEXTS: Record<AnswerLimit, string> = {
  no_passages: 'No meeting or document contains the words of this question.',
  no_model: 'No language model is set up to answer questions.',
  budget: 'The budget for language models is used up.',
  model_failed: 'The language model failed.',
  model_timeout: 'The language model did not answer in time.',
  model_truncated: 'The language model did not finish its answer.',
  no_citations: 'The language model cited no lines for its answer, so the answer is not shown.',
}

export const BEST_PASSAGES_TEXT =
  'These passages match your question best. They may not contain the answer.'
