import type { PromptSettings } from './prompts/settings.ts'
import { appendResult, createDocument, replaceDocument } from '../projects/document-file.ts'
import { writeFrontMatter } from '../projects/front-matter.ts'
import { dateLabel, documentFileName } from '../projects/names.ts'
import type { Usage } from './task.ts'

export type Result = {
  taskName: string
  executionId: string
  model: string
  usage: Usage
  timezone: string
  at: Date
  text: string
  /** Documents that were read for it. */
  sources: readonly string[]
}

/** Saves a result into its project and answers the path. The path comes from the prompt, never from a model. */
export async function saveResult(
  root: string,
  { project, output }: Pick<PromptSettings, 'project' | 'output'>,
  result: Result,
): Promise<string> {
  const label = dateLabel(result.at, result.timezone)
  const folders = output.path?.split('/') ?? ['tasks', result.taskName, '']
  const name = folders.pop() ?? ''
  const place = { root, project, within: folders }
  const header = headerOf(result, label)
  const body = `# ${result.taskName} ${label}\n\n${result.text.trim()}\n`
  if (name !== '' && output.mode === 'overwrite') {
    return replaceDocument({ ...place, name, text: `${header}\n${body}` })
  }
  if (name !== '' && output.mode === 'append') {
    return appendResult({ ...place, name, header, text: `\n${body}` })
  }
  const { documentPath } = await createDocument({
    ...place,
    fileNameFor: (attempt) =>
      name === '' ? documentFileName(label, result.taskName, attempt) : numbered(name, attempt),
    header,
    heading: `\n${body}`,
  })
  return documentPath
}

function headerOf({ taskName, executionId, model, usage, at, sources }: Result, label: string) {
  return writeFrontMatter({
    title: `${taskName} ${label}`,
    date: at.toISOString(),
    task: taskName,
    executionId,
    model,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    sources: [...sources],
  })
}

function numbered(name: string, attempt: number): string {
  return attempt === 1 ? name : name.replace(/\.md$/, ` (${attempt}).md`)
}
