import type { AreaContext } from '../../../db/context.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { BriefCollector } from '../../../brief/collect-brief.ts'
import type { Db } from '../../../db/database.ts'
import { ServiceError, throwIfAnyErrors } from '../../../errors.ts'
import type { DocumentReaderOpener } from '../../../projects/document-reader.ts'
import type { Executions } from '../../executions/executions.ts'
import { createTrialTaskName, listEndedTrials } from '../../task-store.ts'
import { toTaskViewer } from '../../task.ts'
import type { Tasks } from '../../tasks.ts'
import {
  readPromptSubject,
  SubjectGone,
  type PromptSubject,
} from '../../triggers/prompt-subject.ts'
import type { TaskTrigger } from '../../triggers/task-trigger.ts'
import type { ParsedPrompt } from '../parse-prompt.ts'
import { readPrompt } from '../prompt-files.ts'
import { estimateTokens } from '../../../ai/prompt-text.ts'
import type { PromptFiles } from '../store/prompt-storage.ts'
import { TemplateFailure } from '../template/template-failure.ts'
import type { TemplateRenderer } from '../template/template-renderer.ts'
import {
  type WithCheckPlace,
  type CheckedPromptText,
  type PromptNote,
  checkTemplate,
} from './find-prompt-notes.ts'

/** The prompt as a model would get it. */
export type RenderedPreview = {
  /** Only the beginning, because a person reads a preview. */
  text: string
  /** The length of the whole prompt in characters. */
  length: number
  /** The estimated number of tokens. */
  tokens: number
}

export type PromptPreview = {
  notes: PromptNote[]
  variables: string[]
  /** The model setting that is missing; null if the prompt could run. */
  modelProblem: string | null
  /** Null if the text has errors. */
  rendered: RenderedPreview | null
  /** Why it could not be rendered with this meeting although the text has no errors; null if it could. */
  failure: string | null
}

type Parts = AreaContext & {
  /** Used only for previews, so that they do not delay executions and checks. */
  renderer: TemplateRenderer
  openDocumentReader: DocumentReaderOpener
  collectBrief: BriefCollector
  withPlace: WithCheckPlace
  checkText(text: string): Promise<CheckedPromptText>
  findModelProblem(prompt: ParsedPrompt): string | null
}

export type PromptPreviewer = (
  viewer: Viewer,
  request: { text: string; meetingId: string | null },
) => Promise<PromptPreview>

const MAX_SHOWN_CHARS = 60_000

/** Runs a prompt once. Resolves with the id of the execution. */
export type TryPrompt = (viewer: Viewer, promptName: string) => Promise<string>

type TryPromptParts = {
  db: Db
  promptFiles: PromptFiles
  tasks: Pick<Tasks, 'create' | 'remove' | 'findCreateProblems'>
  executions: Pick<Executions, 'run'>
  checkRenderer: TemplateRenderer
}

/** Renders prompts for people who write them. Stores nothing and asks no model. */
export function createPromptPreviewer(parts: Parts): PromptPreviewer {
  return (viewer, request) => parts.withPlace(viewer, () => preview(parts, viewer, request))
}

async function preview(
  parts: Parts,
  viewer: Viewer,
  { text, meetingId }: { text: string; meetingId: string | null },
): Promise<PromptPreview> {
  const { notes, prompt, variables } = await parts.checkText(text)
  const modelProblem = prompt === null ? null : parts.findModelProblem(prompt)
  const known = { notes, variables, modelProblem }
  const nothing = { ...known, rendered: null, failure: null }
  if (prompt === null || notes.some(({ severity }) => severity === 'error')) return nothing
  try {
    const rendered = await render(parts, viewer, prompt, meetingId)
    const { maxTokens } = prompt.settings
    const isTooLong = rendered.tokens > maxTokens
    const message = `With this meeting the prompt has about ${rendered.tokens} tokens, more than its maxTokens of ${maxTokens}`
    const tooLong: PromptNote[] = isTooLong ? [{ severity: 'warning', line: null, message }] : []
    return { ...known, notes: [...notes, ...tooLong], rendered, failure: null }
  } catch (error) {
    if (error instanceof TemplateFailure) return { ...nothing, failure: error.message }
    throw error
  }
}

async function render(
  parts: Parts,
  viewer: Viewer,
  prompt: ParsedPrompt,
  meetingId: string | null,
): Promise<RenderedPreview> {
  const { clock, renderer, openDocumentReader } = parts
  const subject = await readSubject(parts, viewer, meetingId)
  const { settings } = prompt
  const ownProject = subject.meeting?.project ?? null
  // The rights that this person's task would have in the project of the meeting.
  const taskViewer = toTaskViewer({ ...ownerOf(viewer), project: ownProject })
  const documentReader = openDocumentReader(taskViewer)
  const project = ownProject ?? settings.project
  const others = settings.projects === '*' ? await documentReader.projects() : settings.projects
  const projects = [...new Set([project, ...others])]
  const text = await renderer.render(prompt, {
    now: clock.now(),
    timezone: 'UTC',
    taskName: 'preview',
    executionId: 'preview',
    trigger: subject.meeting === null ? 'manual' : 'meeting_ended',
    scheduledFor: null,
    missed: 0,
    project,
    projects,
    lastRunAt: null,
    lastResult: null,
    transcripts: await documentReader.transcripts(projects),
    ...subject,
  })
  return {
    text: text.slice(0, MAX_SHOWN_CHARS).toWellFormed(),
    length: text.length,
    tokens: estimateTokens(text),
  }
}

async function readSubject(
  { db, openDocumentReader, collectBrief }: Parts,
  viewer: Viewer,
  meetingId: string | null,
): Promise<PromptSubject> {
  const source = meetingId === null ? null : { meetingId }
  try {
    const documentReader = openDocumentReader(viewer)
    return await readPromptSubject({ db, viewer, documentReader, collectBrief }, source)
  } catch (error) {
    if (error instanceof SubjectGone) throw new ServiceError('meeting_not_found')
    throw error
  }
}

function ownerOf(viewer: Viewer): { ownerId: string | null; projects: string[] | null } {
  return {
    ownerId: viewer.kind === 'user' ? viewer.userId : null,
    projects: viewer.projects === null ? null : [...viewer.projects],
  }
}

/** Replaces the person's trials that have ended, including those of other prompts. */
export function createTryPrompt({ db, tasks, executions, ...parts }: TryPromptParts): TryPrompt {
  return async (viewer, promptName) => {
    if (viewer.kind !== 'user') throw new ServiceError('forbidden')
    throwIfAnyErrors(await tasks.findCreateProblems({ promptName }))
    const trigger = await findTrigger(parts, promptName)
    for (const ended of await listEndedTrials(db, viewer.userId))
      await removeUnlessGone(tasks, ended)
    const name = createTrialTaskName(viewer.userId)
    const nothingToStore = async () => {}
    await tasks.create(viewer, name, { promptName, trigger, enabled: false }, nothingToStore)
    return executions.run(name, nothingToStore)
  }
}

/** Another trial of the same person may have removed the task. */
async function removeUnlessGone(tasks: Pick<Tasks, 'remove'>, name: string): Promise<void> {
  try {
    await tasks.remove(name)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'task_not_found')) throw error
  }
}

/** If a task with a trigger runs on demand, it gets the newest meeting or document. */
async function findTrigger(
  { promptFiles, checkRenderer }: Pick<TryPromptParts, 'promptFiles' | 'checkRenderer'>,
  promptName: string,
): Promise<TaskTrigger | null> {
  const reading = await readPrompt(promptFiles, promptName)
  if (reading.state !== 'ready') return null
  const { variables } = await checkTemplate(reading.prompt, checkRenderer)
  if (variables.includes('meeting')) return { on: 'meeting_ended' }
  return variables.includes('document') ? { on: 'document_saved' } : null
}
