import type { AreaContext } from '../../db/context.ts'
import { mayUseProject } from '../../access/project-use.ts'
import { claimProjectName } from '../../access/registered-projects.ts'
import {
  ModelFailure,
  type ModelAnswer,
  createTokenMeter,
  type TokenMeter,
} from '../../ai/model.ts'
import { calculateCostUsd, type Prices } from '../../ai/prices.ts'
import type { ModelFinder } from '../../ai/providers.ts'
import type { BriefCollector } from '../../brief/collect-brief.ts'
import type { Tx } from '../../db/database.ts'
import { isTransientDatabaseError, retryWhileTransient } from '../../db/transient-errors.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { runUntilDeadlineOrAbort } from '../../lib/async/abort.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import type { Log } from '../../log.ts'
import type {
  DocumentReader,
  DocumentReaderOpener,
  SavedTranscript,
} from '../../projects/document-reader.ts'
import { formatPathInDataFolder } from '../../projects/document-ref.ts'
import type { WithWriteLock } from '../../projects/files/concurrent-writes.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { findLastCompletedStartAndOutput } from '../executions/execution-reads.ts'
import {
  endExecution,
  isExecutionEndTime,
  saveExecutionProgress,
  saveExecutionUsage,
  type ClaimedExecution,
  type ExecutionOutcome,
} from '../executions/execution-store.ts'
import { formatPromptProblem } from '../prompts/parse-prompt.ts'
import { readPrompt, type Prompt } from '../prompts/prompt-files.ts'
import type { PromptFiles } from '../prompts/store/prompt-storage.ts'
import { TemplateFailure } from '../prompts/template/template-failure.ts'
import type { TemplateRenderer } from '../prompts/template/template-renderer.ts'
import { collectDigest } from '../../recap/digest/collect-digest.ts'
import { toTaskViewer } from '../task.ts'
import type { ToolServers } from '../tool-servers/tool-server-settings.ts'
import { readPromptSubject, SubjectGone, type PromptSubject } from '../triggers/prompt-subject.ts'
import { addUsage } from '../../ai/usage.ts'
import { renderBuiltinBrief, renderBuiltinReport } from './builtin-reports.ts'
import { openPromptTools } from './document-tools.ts'
import { startLiveOutputSaveLoop } from './live-output-saver.ts'
import type { LiveOutput, LiveOutputs } from './live-output.ts'
import { askModelWithRetries, chooseEngine, readReportedMeetings } from './prompt-engine.ts'
import { saveResultDocument } from './result-document.ts'

type Parts = AreaContext & {
  nodeId: string
  files: DocumentFiles
  withWriteLock: WithWriteLock
  promptFiles: PromptFiles
  renderer: TemplateRenderer
  openDocumentReader: DocumentReaderOpener
  collectBrief: BriefCollector
  /** Updates the index after a document was written. Resolves when the index is up to date. */
  documentChanged(documentPath: string): Promise<void>
  models: ModelFinder
  prices: Prices
  toolServers: ToolServers
  outputs: LiveOutputs
  onEnded(status: ExecutionOutcome['status']): void
  /** Runs in the transaction that stores the outcome of a failed execution. */
  onFailed(tx: Tx, failed: FailedExecution): Promise<void>
}

export type FailedExecution = {
  executionId: string
  taskName: string
  project: string
  status: string
  /** Null if it could tell something about another project. */
  reason: string | null
  at: Date
}

/** The state that is needed to end an execution, even after a failure or timeout. */
type ExecutionState = {
  model: string | null
  meter: TokenMeter
  output: LiveOutput
  sources: Set<string>
  /** Connections to tool servers. Closing can take time, so they are closed after the outcome is stored. */
  resources: AsyncDisposableStack
}

const NO_RESULT = { documentPath: null, truncatedBy: null }
const NOT_STORED_SUMMARY = 'The result could not be stored; see the log of the service'

class ExecutionFailure extends Error {
  override readonly name = 'ExecutionFailure'
}

/** Errors whose message is written for people and becomes the execution's summary. */
const EXPECTED_ERRORS = [
  ExecutionFailure,
  ModelFailure,
  TemplateFailure,
  SubjectGone,
  OperatorError,
]

/** Runs one execution, from reading its prompt to saving its result, and stores its outcome even if it fails. */
export async function runExecutionAndStoreOutcome(
  parts: Parts,
  claimed: ClaimedExecution,
  signal: AbortSignal,
): Promise<void> {
  await runAndStore(parts, claimed, signal)
  // Readers are notified after the live output is closed, so that they find the final status in the database.
  parts.outputs.notify(claimed.id)
}

async function runAndStore(
  parts: Parts,
  claimed: ClaimedExecution,
  signal: AbortSignal,
): Promise<void> {
  await using resources = new AsyncDisposableStack()
  using output = parts.outputs.open(claimed.id)
  const state: ExecutionState = {
    model: null,
    meter: createTokenMeter(),
    output,
    sources: new Set(),
    resources,
  }
  await using progress = startLiveOutputSaveLoop({ ...parts, executionId: claimed.id, output })
  const outcome = await runWithTimeout(parts, claimed, state, signal)
  await progress.stop()
  await storeOutcome(parts, claimed, state, outcome)
}

/** Runs an execution within its time limit. Null if it was aborted because it had ended, for example was cancelled. */
async function runWithTimeout(
  parts: Parts,
  claimed: ClaimedExecution,
  state: ExecutionState,
  signal: AbortSignal,
): Promise<ExecutionOutcome | null> {
  try {
    const result = await runUntilDeadlineOrAbort(
      claimed.timeoutMs,
      signal,
      async (deadlineSignal) => {
        const prompt = await loadPrompt(parts.promptFiles, claimed.promptName)
        const { text, truncatedBy } = await answerPrompt(
          parts,
          claimed,
          prompt,
          state,
          deadlineSignal,
        )
        return { prompt, answer: { text: text.replaceAll('\0', ''), truncatedBy } }
      },
    )
    if (result.ended === 'aborted') return null
    if (result.ended === 'late') {
      const summary = `Stopped after its timeout of ${claimed.timeoutMs} ms`
      return { ...NO_RESULT, status: 'timeout', summary, output: state.output.text }
    }
    const { prompt, answer } = result.value
    const { text, truncatedBy } = answer
    const documentPath = await saveResultIfOwned(parts, claimed, prompt, state, answer)
    return { status: 'completed', summary: text.trim(), output: text, documentPath, truncatedBy }
  } catch (error) {
    const summary = failureSummary(parts.log, claimed, error)
    return { ...NO_RESULT, status: 'failed', summary, output: state.output.text }
  }
}

async function loadPrompt(promptFiles: PromptFiles, name: string): Promise<Prompt> {
  const reading = await readPrompt(promptFiles, name)
  if (reading.state === 'ready') return reading.prompt
  if (reading.state === 'missing') throw new ExecutionFailure(`Prompt not found: ${name}`)
  const problems = reading.problems.map(formatPromptProblem)
  throw new ExecutionFailure(`The prompt ${name} has problems: ${problems.join('; ')}`)
}

async function answerPrompt(
  parts: Parts,
  claimed: ClaimedExecution,
  prompt: Prompt,
  state: ExecutionState,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { db, nodeId, models } = parts
  const viewer = toTaskViewer(claimed)
  const documentReader = parts.openDocumentReader(viewer)
  const project = projectOf(claimed, prompt)
  const { settings } = prompt
  const engine = chooseEngine(settings, models.defaultName)
  state.model = engine.model
  const lastRun = await findLastCompletedStartAndOutput(db, viewer, claimed.taskId)
  const projects = await resolveProjects(documentReader, project, settings)
  const transcripts = await listTrackedTranscripts(documentReader, projects, (transcript) => {
    // Stops a template that reads endlessly when its execution ends.
    signal.throwIfAborted()
    state.sources.add(transcript.path)
    return transcript.read()
  })
  const subject = await readPromptSubject(
    { db, viewer, documentReader, collectBrief: parts.collectBrief },
    claimed.triggeredBy,
  )
  addSubjectToSources(state.sources, subject)
  const inputs = {
    now: claimed.startedAt,
    timezone: claimed.timezone,
    taskName: claimed.taskName,
    executionId: claimed.id,
    trigger: claimed.triggerType,
    scheduledFor: claimed.scheduledFor,
    missed: claimed.missed,
    project,
    projects,
    lastRunAt: lastRun?.startedAt ?? null,
    lastResult: lastRun?.output ?? null,
    transcripts,
    ...subject,
  }
  const text = await parts.renderer.render(prompt, inputs)
  const progress = { model: engine.model, promptHash: prompt.sha256 }
  await saveExecutionProgress(db, claimed.id, nodeId, { ...progress, promptText: text })
  if (engine.isBuiltin && settings.builtin !== undefined) {
    const newTranscripts = transcripts.filter(
      ({ settledAt }) => lastRun === null || settledAt > lastRun.startedAt,
    )
    const report =
      settings.builtin === 'brief'
        ? renderBuiltinBrief(subject.brief)
        : await renderBuiltinReport(
            settings.builtin,
            await readReportedMeetings(subject.meeting ?? newTranscripts),
            {
              now: claimed.startedAt,
              timeZone: claimed.timezone,
              collectDigest: (ids) => collectDigest(db, viewer, { meetings: { ids } }),
            },
            signal,
          )
    state.output.append(report)
    return { text: report, truncatedBy: null }
  }
  const { tools } = state.resources.use(
    await openPromptTools(
      { servers: parts.toolServers, log: parts.log },
      settings.tools,
      { documentReader, projects, onDocumentRead: (path) => state.sources.add(path) },
      signal,
    ),
  )
  return askModelWithRetries(
    models,
    {
      settings,
      model: engine.model,
      prompt: text,
      tools,
      listener: {
        onText: state.output.append.bind(state.output),
        onOpenRequest: state.meter.onOpenRequest,
        onTokens: state.meter.onTokens,
        onAttempt(attempts) {
          if (attempts === 1) return
          state.output.reset()
          saveExecutionProgress(db, claimed.id, nodeId, { attempts }).catch((error: unknown) => {
            parts.log.warn(
              { err: error, executionId: claimed.id },
              'failed to store attempt number',
            )
          })
        },
      },
    },
    signal,
  )
}

function addSubjectToSources(sources: Set<string>, { meeting, document }: PromptSubject): void {
  if (meeting !== null) sources.add(meeting.documentPath ?? meeting.id)
  if (document !== null) sources.add(formatPathInDataFolder(document))
}

/** A task with a project works in that project: everyone who reads its results may read the project. */
function projectOf({ project }: ClaimedExecution, { settings }: Prompt): string {
  return project ?? settings.project
}

async function resolveProjects(
  documentReader: DocumentReader,
  project: string,
  { projects }: Prompt['settings'],
): Promise<string[]> {
  const otherProjects = projects === '*' ? await documentReader.projects() : projects
  return [...new Set([project, ...otherProjects])]
}

/** Lists transcripts whose text is read through `read`, which records the access. */
async function listTrackedTranscripts(
  documentReader: DocumentReader,
  projects: string[],
  read: (transcript: SavedTranscript) => Promise<string>,
): Promise<SavedTranscript[]> {
  const transcripts = await documentReader.transcripts(projects)
  return transcripts.map((transcript) => ({ ...transcript, read: () => read(transcript) }))
}

async function saveResultIfOwned(
  { db, nodeId, files, withWriteLock, clock, documentChanged }: Parts,
  claimed: ClaimedExecution,
  prompt: Prompt,
  state: ExecutionState,
  { text, truncatedBy }: ModelAnswer,
): Promise<string | null> {
  const { settings } = prompt
  const project = projectOf(claimed, prompt)
  // If the execution was cancelled or marked stale in the meantime, no document is written.
  const isOwned = await retryWhileTransient(() =>
    saveExecutionProgress(db, claimed.id, nodeId, { output: text }),
  )
  if (!isOwned || !settings.output.save) return null
  const mayUse = await mayUseProject(db, toTaskViewer(claimed), 'edit', project)
  if (!mayUse || !(await claimProjectName(db, project)))
    throw new ExecutionFailure('The task may not save its result in the project of its prompt')
  const documentPath = await saveResultDocument(
    { files, withWriteLock },
    { ...settings, project },
    {
      taskName: claimed.taskName,
      executionId: claimed.id,
      model: state.model ?? '',
      usage: state.meter.usage(),
      timezone: claimed.timezone,
      at: clock.now(),
      text,
      truncatedBy,
      sources: [...state.sources],
    },
  )
  await documentChanged(documentPath)
  return documentPath
}

async function storeOutcome(
  parts: Parts,
  claimed: ClaimedExecution,
  { model, meter }: ExecutionState,
  outcome: ExecutionOutcome | null,
): Promise<void> {
  const { db, nodeId, prices, log } = parts
  const usage = meter.usage()
  const costUsd = model === null ? null : calculateCostUsd(prices, model, usage)
  // The model's answer may have cost money, so it must survive a short database outage.
  const now = parts.clock.now()
  const store = (finalOutcome: ExecutionOutcome | null) =>
    retryWhileTransient(async (isRepeat) => {
      if (isRepeat && (await isExecutionEndTime(db, claimed.id, now))) return finalOutcome
      return db.transaction().execute(async (tx) => {
        const isEnded =
          finalOutcome !== null && (await endExecution(tx, claimed.id, nodeId, finalOutcome, now))
        if (isEnded) await reportFailure(parts, tx, claimed, finalOutcome, now)
        await saveExecutionUsage(tx, claimed.id, nodeId, { ...usage, costUsd })
        if (model !== null) {
          const { taskName, project } = claimed
          await addUsage(tx, { ...usage, at: now, taskName, model, costUsd, project })
        }
        return isEnded ? finalOutcome : null
      })
    })
  const stored = await store(outcome).catch((error: unknown) => {
    if (outcome === null || isTransientDatabaseError(error)) throw error
    log.error({ err: error, executionId: claimed.id }, 'failed to store execution result')
    // Token usage is stored even if the result cannot be. Otherwise a failing task could exceed the budget forever.
    return store({ ...outcome, status: 'failed', summary: NOT_STORED_SUMMARY, output: '' })
  })
  const { taskName, id: executionId } = claimed
  const fields = { taskName, executionId, model, ...usage }
  if (stored === null) return log.info(fields, 'execution stopped, because it was already ended')
  parts.onEnded(stored.status)
  logEnd(log, fields, stored)
}

async function reportFailure(
  { onFailed }: Parts,
  tx: Tx,
  { id: executionId, taskName, project, triggeredBy }: ClaimedExecution,
  { status, summary }: ExecutionOutcome,
  at: Date,
): Promise<void> {
  if (project === null || (status !== 'failed' && status !== 'timeout')) return
  // What started the execution may belong to another project.
  const reason = triggeredBy === null ? summary : null
  await onFailed(tx, { executionId, taskName, project, status, reason, at })
}

/** Logs the end of an execution. A failure's summary is its reason and is logged; other summaries are results. */
function logEnd(
  log: Log,
  fields: object,
  { status, summary, truncatedBy }: ExecutionOutcome,
): void {
  if (status !== 'completed') log.warn({ ...fields, status, reason: summary }, 'execution ended')
  else log.info({ ...fields, status, truncatedBy }, 'execution ended')
}

function failureSummary(log: Log, { id, taskName }: ClaimedExecution, error: unknown): string {
  const isExpected = EXPECTED_ERRORS.some((kind) => error instanceof kind)
  if (isExpected) return errorMessageOf(error)
  log.error({ err: error, executionId: id, taskName }, 'execution failed')
  return 'Something went wrong inside the service; see its log'
}
