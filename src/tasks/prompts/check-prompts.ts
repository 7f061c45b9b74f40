import { parseToolReference } from '../tool-servers/tool-names.ts'
import type { ToolServers } from '../tool-servers/tool-server-settings.ts'
import { listPrompts, type ListedPrompt } from './prompt-files.ts'
import { createSampleVariables } from './template-variables.ts'
import { DOCUMENT_TOOL_NAMES } from './prompt-settings.ts'
import { findTemplateProblems } from './template.ts'

/** Every prompt with all that can be known to be wrong before it runs: its header, its template, its tools. */
export async function checkPrompts(dir: string, servers: ToolServers): Promise<ListedPrompt[]> {
  const scope = createSampleVariables()
  return listPrompts(dir, async ({ settings, body }) => [
    ...settings.tools.flatMap((tool) => {
      const message = findToolProblem(tool, servers)
      return message === null ? [] : [{ path: 'tools', message }]
    }),
    // A copy: a template may leave something in it.
    ...(await findTemplateProblems(body, { ...scope })),
  ])
}

const OWN_TOOLS: readonly string[] = DOCUMENT_TOOL_NAMES

function findToolProblem(tool: string, servers: ToolServers): string | null {
  const named = parseToolReference(tool)
  if (named === null) return OWN_TOOLS.includes(tool) ? null : `There is no tool ${tool}`
  return servers.has(named.server) ? null : `There is no MCP server ${named.server}`
}
