import { ModelFailure } from '../../ai/model.ts'
import {
  findDefaultModelName,
  findModelConfigProblem,
  type ModelSettings,
} from '../../ai/providers.ts'
import { ServiceError } from '../../errors.ts'
import { findNearestName } from '../../lib/text/nearest-name.ts'
import { chooseEngine } from '../running/prompt-engine.ts'
import { parseToolReference, type ToolServers } from '../tool-servers/tool-server-settings.ts'
import {
  DOCUMENT_READING_TOOL_NAMES,
  type PromptProblem,
  type PromptSettings,
  createPromptFileProblem,
  type ParsedPrompt,
  formatPromptProblem,
} from './parse-prompt.ts'
import { listPrompts, type ListedPrompt, readPrompt } from './prompt-files.ts'
import type { PromptFiles } from './store/prompt-storage.ts'
import { TemplateFailure } from './template/template-failure.ts'
import type { TemplateRenderer } from './template/template-renderer.ts'
import { createSampleInputs } from './template/template-variables.ts'

/** Lists every prompt with the problems of its front matter, template, tools and model. */
export async function listCheckedPrompts(
  promptFiles: PromptFiles,
  servers: ToolServers,
  models: ModelSettings,
  renderer: TemplateRenderer,
): Promise<ListedPrompt[]> {
  return listPrompts(promptFiles, async (prompt) => [
    ...findSettingProblems(prompt.settings, servers, models),
    ...(await findTemplateProblems(renderer, prompt)),
  ])
}

/** A problem with the path `model` means that no model can answer the prompt. No provider is asked. */
export function findSettingProblems(
  settings: PromptSettings,
  servers: ToolServers,
  models: ModelSettings,
): PromptProblem[] {
  return [
    ...toProblems('model', findModelProblem(settings, models)),
    ...settings.tools.flatMap((tool) => toProblems('tools', findToolProblem(tool, servers))),
  ]
}

function toProblems(path: string, message: string | null): PromptProblem[] {
  return message === null ? [] : [{ path, message }]
}

/** Returns why no model can answer the prompt. No provider is asked. */
function findModelProblem(settings: PromptSettings, models: ModelSettings): string | null {
  try {
    const { model, isBuiltin } = chooseEngine(settings, findDefaultModelName(models))
    return isBuiltin ? null : findModelConfigProblem(models, model)
  } catch (error) {
    if (error instanceof ModelFailure) return error.message
    throw error
  }
}

const DOCUMENT_TOOLS: readonly string[] = DOCUMENT_READING_TOOL_NAMES

function findToolProblem(tool: string, servers: ToolServers): string | null {
  const reference = parseToolReference(tool)
  if (reference === null) return DOCUMENT_TOOLS.includes(tool) ? null : `There is no tool ${tool}`
  return servers.has(reference.server) ? null : `There is no MCP server ${reference.server}`
}

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

/** Throws if the prompt does not exist or its file has problems. The template is only checked when it is rendered. */
export async function requireReadablePrompt(
  promptFiles: PromptFiles,
  promptName: string,
): Promise<void> {
  const reading = await readPrompt(promptFiles, promptName)
  if (reading.state === 'missing') throw await promptNotFound(promptFiles, promptName)
  if (reading.state === 'broken') throw invalidPrompt(promptName, reading.problems)
}

/** The error for a task with this prompt; null if the prompt exists and its file and template are valid. */
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
