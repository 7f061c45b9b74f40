import type { WireExecution } from '../../../src/http/shapes/tasks.ts'

type FailureHint = { fits: (execution: WireExecution) => boolean; nextStep: string }

const summaryMatches = (pattern: RegExp) => (execution: WireExecution) =>
  pattern.test(execution.resultSummary ?? '')

/** What somebody can do about a run that did not complete; the first that fits is shown. */
const FAILURE_HINTS: readonly FailureHint[] = [
  {
    fits: ({ status }) => status === 'timeout',
    nextStep: 'Raise the time-out of the task, or let its prompt read less. Tokens used until then are counted.',
  },
  {
    fits: ({ status }) => status === 'stale',
    nextStep: 'It is not run again by itself, because that may cost money. Run it again if you want its result.',
  },
  {
    fits: summaryMatches(/^Cancelled/),
    nextStep: 'Somebody cancelled it. What it had said until then is kept.',
  },
  {
    fits: summaryMatches(/No language model configured/),
    nextStep: 'An administrator sets HANSARD_AI_MODEL and the key of its provider; until then only prompts that run on rules work, such as daily-digest.',
  },
  {
    fits: summaryMatches(/\bset [A-Z][A-Z_]+/),
    nextStep: 'An administrator sets what is missing and starts Hansard again.',
  },
  {
    fits: summaryMatches(/^Prompt not found/),
    nextStep: 'Put the file back into the folder scheduled-prompts, or choose another prompt for the task.',
  },
  {
    fits: summaryMatches(/^The prompt .* has problems/),
    nextStep: 'Mend the file; “hansard prompt check” says whether it is right. It is read anew at the next run.',
  },
  {
    fits: summaryMatches(/\b(?:401|403)\b|key/i),
    nextStep: 'An administrator checks the key of the provider.',
  },
  {
    fits: summaryMatches(/\b429\b|busy|rate/i),
    nextStep: 'The provider is busy or a limit is reached. Run it again later, or let the prompt try again with “retries”.',
  },
  {
    fits: summaryMatches(/provider|broke off|answer/i),
    nextStep: 'The language model’s provider failed. Run it again; if it repeats, an administrator looks at the provider.',
  },
]

const DEFAULT_HINT = 'Run it again; if it repeats, an administrator finds the cause in the log.'

export function failureHint(execution: WireExecution): string {
  return FAILURE_HINTS.find(({ fits }) => fits(execution))?.nextStep ?? DEFAULT_HINT
}
