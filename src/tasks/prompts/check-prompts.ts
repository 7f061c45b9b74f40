import { ModelFailure } from '../../ai/model.ts'
import {
  findDefaultModelName,
  findModelConfigProblem,
  type ModelSettings,
} from '../../ai/providers.ts'
import { chooseEngine } from '../running/prompt-engine.ts'
import { parseToolReference } from '../tool-servers/tool-names.ts'
import type { ToolServers } from '../tool-servers/tool-server-settings.ts'
import { listPrompts, type ListedPrompt } from './prompt-files.ts'
import {
  DOCUMENT_READING_TOOL_NAMES,
  type PromptProblem,
  type PromptSettings,
} from './prompt-settings.ts'
import { findTemplateProblems } from './template/find-template-problems.ts'
import type { TemplateRenderer } from './template/template-renderer.ts'
import type { PromptFiles } from './store/prompt-storage.ts'

/** Lists every prompt with the problems of its front matter, its template, its tools and its model. */
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

/** The problem with the path `model` says that no model can answer the prompt. No provider is asked. */
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

/** Says why no model can answer the prompt. No provider is asked. */
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
