import { parseToolReference } from '../tool-servers/tool-names.ts'
import type { ToolServers } from '../tool-servers/tool-server-settings.ts'
import { listPrompts, type ListedPrompt } from './prompt-files.ts'
import { createSampleVariables } from './template-variables.ts'
import { DOCUMENT_TOOL_NAMES } from './prompt-settings.ts'
import { findTemplateProblems } from './template.ts'

/** Lists every prompt with the problems of its front matter, its template and its tools. */
export async function listCheckedPrompts(
  dir: string,
  servers: ToolServers,
): Promise<ListedPrompt[]> {
  const variables = createSampleVariables()
  return listPrompts(dir, async (prompt) => [
    ...prompt.settings.tools.flatMap((tool) => {
      const message = findToolProblem(tool, servers)
      return message === null ? [] : [{ path: 'tools', message }]
    }),
    // Each template gets its own copy of the sample variables, because a template can change variables.
    ...(await findTemplateProblems(prompt, { ...variables })),
  ])
}

const DOCUMENT_TOOLS: readonly string[] = DOCUMENT_TOOL_NAMES

function findToolProblem(tool: string, servers: ToolServers): string | null {
  const reference = parseToolReference(tool)
  if (reference === null) return DOCUMENT_TOOLS.includes(tool) ? null : `There is no tool ${tool}`
  return servers.has(reference.server) ? null : `There is no MCP server ${reference.server}`
}
