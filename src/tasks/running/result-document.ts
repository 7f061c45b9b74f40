import type { TokenUsage } from '../../ai/model.ts'
import { retryWhileTransient } from '../../db/transient-errors.ts'
import { formatPathInDataFolder, type DocumentRef } from '../../projects/document-ref.ts'
import { toLockName, type WithWriteLock } from '../../projects/files/concurrent-writes.ts'
import { formatDateLabel, formatDocumentFileName } from '../../projects/files/file-names.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { formatFrontMatter } from '../../projects/front-matter.ts'
import type { PromptSettings } from '../prompts/parse-prompt.ts'
import type { TruncationReason } from '../task.ts'

export type TaskResult = {
  taskName: string
  executionId: string
  model: string
  usage: TokenUsage
  timezone: string
  at: Date
  text: string
  /** Why the text is incomplete; null if it is complete. */
  truncatedBy: TruncationReason | null
  /** Paths of the documents that the execution read. */
  sources: readonly string[]
}

/** The last line of a document whose text is incomplete. */
const TRUNCATION_NOTES: Readonly<Record<TruncationReason, string>> = {
  length: 'the model reached its limit (maxOutputTokens in the prompt, or its own)',
  max_tokens: 'the run used up its tokens (maxTokens in the prompt)',
  max_steps: 'the model wanted more steps (maxSteps in the prompt)',
  content_filter: 'the provider withheld the rest',
}

/**
 * Saves a result as a document and returns its path. The path comes from the prompt, never from a model. An existing
 * document is changed under its write lock, as when a person saves it.
 */
export async function saveResultDocument(
  { files, withWriteLock }: { files: DocumentFiles; withWriteLock: WithWriteLock },
  { project, output }: Pick<PromptSettings, 'project' | 'output'>,
  result: TaskResult,
): Promise<string> {
  const label = formatDateLabel(result.at, result.timezone)
  const folders = output.path?.split('/') ?? ['tasks', result.taskName, '']
  const name = folders.pop() ?? ''
  const target = { project, path: [...folders, name].join('/') }
  const header = formatHeader(result, label)
  const heading = `# ${result.taskName} ${label}\n`
  const text = `\n${result.text.trim()}\n${formatNote(result)}`
  const body = `${heading}${text}`
  if (name !== '' && output.mode !== 'new') {
    const write = async (filesInTx: DocumentFiles) => {
      if (output.mode === 'overwrite')
        return void (await filesInTx.replace(target, [`${header}\n${body}`]))
      const { executionId } = result
      // An earlier attempt wrote it, but its commit was not confirmed.
      if (await isTextInDocument(filesInTx, target, executionId)) return
      const mark = `<!-- executionId: ${executionId} -->\n`
      await filesInTx.appendOrCreate(target, header, `\n${heading}${mark}${text}`)
    }
    await retryWhileTransient(() =>
      withWriteLock(toLockName(target), (tx) => write(files.inTransaction(tx))),
    )
    return formatPathInDataFolder(target)
  }
  const { documentPath } = await files.create({
    project,
    within: folders,
    fileNameFor: (attempt) =>
      name === ''
        ? formatDocumentFileName(label, result.taskName, attempt)
        : numberedFileName(name, attempt),
    header,
    heading: `\n${body}`,
  })
  return documentPath
}

async function isTextInDocument(
  files: DocumentFiles,
  ref: DocumentRef,
  text: string,
): Promise<boolean> {
  await using file = await files.open(ref)
  return file !== null && (await file.read()).includes(text)
}

function formatHeader(
  { taskName, executionId, model, usage, at, sources, truncatedBy }: TaskResult,
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
    ...(usage.isEstimated && { tokensEstimated: true }),
    ...(truncatedBy !== null && { truncatedBy }),
    sources: [...sources],
  })
}

function formatNote({ truncatedBy }: TaskResult): string {
  return truncatedBy === null
    ? ''
    : `\n> **This answer is incomplete:** ${TRUNCATION_NOTES[truncatedBy]}.\n`
}

function numberedFileName(name: string, attempt: number): string {
  return attempt === 1 ? name : name.replace(/\.md$/, ` (${attempt}).md`)
}
