import { readToolName } from '../tool-servers/names.ts'
import type { ToolServers } from '../tool-servers/settings.ts'
import { listPrompts, type ListedPrompt } from './files.ts'
import { sampleScope } from './scope.ts'
import { READ_TOOLS } from './settings.ts'
import { templateProblems } from './template.ts'

/** Every prompt with all that can be known to be wrong before it runs: its header, its template, its tools. */
export async function checkPrompts(dir: string, servers: ToolServers): Promise<ListedPrompt[]> {
  const scope = sampleScope()
  return listPrompts(dir, async ({ settings, body }) => [
    ...settings.tools.flatMap((tool) => {
      const message = refuseTool(tool, servers)
      return message === null ? [] : [{ path: 'tools', message }]
    }),
    // A copy: a template may leave something in it.
    ...(await templateProblems(body, { ...scope })),
  ])
}

const OWN: readonly string[] = READ_TOOLS

function refuseTool(tool: string, servers: ToolServers): string | null {
  const named = readToolName(tool)
  if (named === null) return OWN.includes(tool) ? null : `There is no tool ${tool}`
  return servers.has(named.server) ? null : `There is no MCP server ${named.server}`
}
