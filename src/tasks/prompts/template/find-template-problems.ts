import { createPromptFileProblem, type ParsedPrompt } from '../parse-prompt.ts'
import type { PromptProblem } from '../prompt-settings.ts'
import { TemplateFailure } from './template-failure.ts'
import type { TemplateRenderer } from './template-renderer.ts'
import { createSampleInputs } from './template-variables.ts'

/** Renders a template with sample data and returns the problems found. */
export async function findTemplateProblems(
  renderer: TemplateRenderer,
  prompt: ParsedPrompt,
): Promise<PromptProblem[]> {
  try {
    await renderer.render(prompt, createSampleInputs())
    return []
  } catch (error) {
    if (error instanceof TemplateFailure) return [createPromptFileProblem(error.message)]
    throw error
  }
}
