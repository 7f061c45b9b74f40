import type { PromptSettings } from '../prompts/prompt-settings.ts'
import {
  appendOrCreateDocument,
  createDocument,
  createOrReplaceDocument,
} from '../../projects/files/document-file.ts'
import { formatFrontMatter } from '../../projects/front-matter.ts'
import { formatDateLabel, formatDocumentFileName } from '../../projects/files/file-names.ts'
import type { TokenUsage } from '../task.ts'

export type TaskResult = {
  taskName: string
  executionId: string
  model: string
  usage: TokenUsage
  timezone: string
  at: Date
  text: string
  /** Paths of the documents that the execution read. */
  sources: readonly string[]
}

/** Saves a result as a document and returns its path. The path comes from the prompt, never from a model. */
export async function saveResultDocument(
  root: string,
  { project, output }: Pick<PromptSettings, 'project' | 'output'>,
  result: TaskResult,
): Promise<string> {
  const label = formatDateLabel(result.at, result.timezone)
  const folders = output.path?.split('/') ?? ['tasks', result.taskName, '']
  const name = folders.pop() ?? ''
  const target = { root, project, within: folders }
  const header = formatHeader(result, label)
  const body = `# ${result.taskName} ${label}\n\n${result.text.trim()}\n`
  if (name !== '' && output.mode === 'overwrite') {
    return createOrReplaceDocument({ ...target, name, text: `${header}\n${body}` })
  }
  if (name !== '' && output.mode === 'append') {
    return appendOrCreateDocument({ ...target, name, header, text: `\n${body}` })
  }
  const { documentPath } = await createDocument({
    ...target,
    fileNameFor: (attempt) =>
      name === ''
        ? formatDocumentFileName(label, result.taskName, attempt)
        : numberedFileName(name, attempt),
    header,
    heading: `\n${body}`,
  })
  return documentPath
}

function formatHeader(
  { taskName, executionId, model, usage, at, sources }: TaskResult,
  label: string,
) {
  return formatFrontMatter({
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

function numberedFileName(name: string, attempt: number): string {
  return attempt === 1 ? name : name.replace(/\.md$/, ` (${attempt}).md`)
}
