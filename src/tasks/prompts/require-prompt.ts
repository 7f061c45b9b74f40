import { ServiceError } from '../../errors.ts'
import { findNearestName } from '../../lib/text/nearest-name.ts'
import { listPrompts, readPrompt } from './prompt-files.ts'
import { formatPromptProblem, type PromptProblem } from './prompt-settings.ts'
import { findTemplateProblems } from './template/find-template-problems.ts'
import type { TemplateRenderer } from './template/template-renderer.ts'
import type { PromptFiles } from './store/prompt-storage.ts'

/** Throws when the prompt does not exist or its file has problems. Its template is checked when it is rendered. */
export async function requireReadablePrompt(
  promptFiles: PromptFiles,
  promptName: string,
): Promise<void> {
  const reading = await readPrompt(promptFiles, promptName)
  if (reading.state === 'missing') throw await promptNotFound(promptFiles, promptName)
  if (reading.state === 'broken') throw invalidPrompt(promptName, reading.problems)
}

/** The error for a task that names this prompt; null when the prompt exists and neither file nor template is broken. */
export async function findPromptError(
  promptFiles: PromptFiles,
  promptName: string,
  renderer: TemplateRenderer,
): Promise<ServiceError | null> {
  const reading = await readPrompt(promptFiles, promptName)
  if (reading.state === 'missing') return promptNotFound(promptFiles, promptName)
  const problems =
    reading.state === 'broken'
      ? reading.problems
      : await findTemplateProblems(renderer, reading.prompt)
  return problems.length === 0 ? null : invalidPrompt(promptName, problems)
}

async function promptNotFound(promptFiles: PromptFiles, promptName: string): Promise<ServiceError> {
  const names = (await listPrompts(promptFiles)).map(({ name }) => name)
  const nearest = findNearestName(promptName, names)
  const suggestion = nearest === null ? '' : `; did you mean ${nearest}?`
  return new ServiceError('prompt_not_found', {
    text: `Prompt not found: ${promptName}`,
    details: [{ path: 'promptName', message: `There is no such prompt${suggestion}` }],
  })
}

function invalidPrompt(promptName: string, problems: readonly PromptProblem[]): ServiceError {
  return new ServiceError('invalid_prompt', {
    text: `The prompt ${promptName} has problems`,
    details: problems.map((problem) => ({
      path: 'promptName',
      message: formatPromptProblem(problem),
    })),
  })
}
