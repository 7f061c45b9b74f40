import type { ApiExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'

type FailureHint = { matches: (execution: ApiExecutionWithSummary) => boolean; nextStep: string }

const summaryMatches = (pattern: RegExp) => (execution: ApiExecutionWithSummary) =>
  pattern.test(execution.resultSummary ?? '')

/** True if a run failed because its language model was not or only partly set up. */
export function isModelMissing(execution: ApiExecutionWithSummary): boolean {
  return execution.status === 'failed' && lacksModel(execution)
}

const lacksModel = summaryMatches(
  /^No (?:language model configured|API key for|server address for)/,
)

/** What the user can do about a run that did not complete. The page shows the first hint that matches. */
const FAILURE_HINTS: readonly FailureHint[] = [
  {
    matches: ({ status }) => status === 'timeout',
    nextStep:
      'Increase the timeout of the task, or let its prompt read less. Tokens used until then are counted.',
  },
  {
    matches: ({ status }) => status === 'stale',
    nextStep:
      'Hansard does not run it again automatically, because that may cost money. Run it again if you need the result.',
  },
  {
    matches: ({ cancelled }) => cancelled === true,
    nextStep: 'The output until then is kept. No document was saved.',
  },
  {
    matches: summaryMatches(/\bset [A-Z][A-Z_]+/),
    nextStep: 'Ask an administrator to set the missing setting and restart Hansard.',
  },
  {
    matches: summaryMatches(/leaves no room for an answer/),
    nextStep: 'Increase “maxTokens” in the prompt, or let it read less.',
  },
  {
    matches: summaryMatches(/HANSARD_AI_BASE_URL/),
    nextStep: 'Ask an administrator to check the address of the model server.',
  },
  {
    matches: summaryMatches(/^Prompt not found/),
    nextStep:
      'Restore the file in the folder scheduled-prompts, or choose another prompt for the task.',
  },
  {
    matches: summaryMatches(/^The prompt .* has problems/),
    nextStep:
      'Fix the file and check it with “hansard prompt check”. The next run uses the new version.',
  },
  {
    matches: summaryMatches(/\b(?:401|403)\b|key/i),
    nextStep: 'Ask an administrator to check the API key of the provider.',
  },
  {
    matches: summaryMatches(/\b429\b|busy|rate/i),
    nextStep:
      'The provider is busy or a rate limit was reached. Run it again later, or set “retries” in the prompt.',
  },
  {
    matches: summaryMatches(/provider|broke off|answer/i),
    nextStep:
      'The language model’s provider failed. Run it again. If this keeps happening, ask an administrator to check the provider.',
  },
]

const DEFAULT_HINT =
  'Run it again. If this keeps happening, an administrator can find the cause in the log.'

export function chooseFailureHint(execution: ApiExecutionWithSummary): string {
  return FAILURE_HINTS.find(({ matches }) => matches(execution))?.nextStep ?? DEFAULT_HINT
}
