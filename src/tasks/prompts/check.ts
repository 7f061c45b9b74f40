import { readToolName } from '../tool-servers/names.ts'
import type { ToolServers } from '../tool-servers/settings.ts'
import { listPrompts, readPrompt, type ListedPrompt } from './files.ts'
import { sampleScope } from './scope.ts'
import { READ_TOOLS, type PromptProblem } from './settings.ts'
import { templateProblems } from './template.ts'

/** Every prompt with all that can be known to be wrong before it runs: its header, its template, its tools. */
export async function checkPrompts(dir: string, servers: ToolServers): Promise<ListedPrompt[]> {
  const listed = await listPrompts(dir)
  return Promise.all(
    listed.map(async (prompt) =>
      prompt.problems.length > 0
        ? prompt
        : { ...prompt, problems: await problemsInside(dir, prompt.name, servers) },
    ),
  )
}

async function problemsInside(
  dir: string,
  name: string,
  servers: ToolServers,
): Promise<PromptProblem[]> {
  const reading = await readPrompt(dir, name)
  if (reading.state !== 'ready') return reading.state === 'broken' ? reading.problems : []
  const { body, settings } = reading.prompt
  const unknownTools = settings.tools.flatMap((tool) => {
    const message = refuseTool(tool, servers)
    return message === null ? [] : [{ path: 'tools', message }]
  })
  return [...unknownTools, ...(await templateProblems(body, sampleScope()))]
}

const OWN: readonly string[] = READ_TOOLS

function refuseTool(tool: string, servers: ToolServers): string | null {
  const named = readToolName(tool)
  if (named === null) return OWN.includes(tool) ? null : `There is no tool ${tool}`
  return servers.has(named.server) ? null : `There is no MCP server ${named.server}`
}
