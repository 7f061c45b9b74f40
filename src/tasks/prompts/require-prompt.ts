import { ServiceError } from '../../errors.ts'
import { readPrompt } from './prompt-files.ts'
import { formatPromptProblem } from './prompt-settings.ts'

/** Throws when the prompt does not exist or has problems. */
export async function requireUsablePrompt(dir: string, promptName: string): Promise<void> {
  const reading = await readPrompt(dir, promptName)
  if (reading.state === 'ready') return
  if (reading.state === 'missing') {
    throw new ServiceError('prompt_not_found', { text: `Prompt not found: ${promptName}` })
  }
  throw new ServiceError('invalid_prompt', {
    text: `The prompt ${promptName} has problems`,
    details: reading.problems.map((problem) => ({
      path: 'promptName',
      message: formatPromptProblem(problem),
    })),
  })
}
