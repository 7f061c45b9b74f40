import { listPrompts, readPrompt, type ListedPrompt } from './files.ts'
import { sampleScope } from './scope.ts'
import { READ_TOOLS, type PromptProblem } from './settings.ts'
import { templateProblems } from './template.ts'

/** Every prompt with all that can be known to be wrong before it runs: its header, its template, its tools. */
export async function checkPrompts(dir: string): Promise<ListedPrompt[]> {
  const listed = await listPrompts(dir)
  return Promise.all(
    listed.map(async (prompt) =>
      prompt.problems.length > 0
        ? prompt
        : { ...prompt, problems: await problemsInside(dir, prompt.name) },
    ),
  )
}

async function problemsInside(dir: string, name: string): Promise<PromptProblem[]> {
  const reading = await readPrompt(dir, name)
  if (reading.state !== 'ready') return reading.state === 'broken' ? reading.problems : []
  const { body, settings } = reading.prompt
  const known: readonly string[] = READ_TOOLS
  const unknownTools = settings.tools
    .filter((tool) => !known.includes(tool))
    .map((tool) => ({ path: 'tools', message: `There is no tool ${tool}` }))
  return [...unknownTools, ...(await templateProblems(body, sampleScope()))]
}
