import { ModelFailure } from '../../ai/model.ts'
import { calculateCost, type Prices } from '../../ai/prices.ts'
import type { Models } from '../../ai/providers.ts'
import type { Db } from '../../db/database.ts'
import { isTransient, retryTransient } from '../../db/transient-errors.ts'
import { OperatorError } from '../../errors.ts'
import { runWithDeadline } from '../../lib/async/deadline.ts'
import { messageOf } from '../../lib/error-code.ts'
import type { Log } from '../../log.ts'
import type { DocumentReader, SavedTranscript } from '../../projects/document-reader.ts'
import { reportOnTranscripts, askModel, chooseEngine } from './prompt-engine.ts'
import {
  endExecution,
  findLastCompletedExecution,
  isEndedAt,
  saveExecutionProgress,
  saveExecutionUsage,
  type ClaimedExecution,
  type ExecutionOutcome,
} from '../execution-store.ts'
import { createTokenMeter, type TokenMeter } from '../usage/token-meter.ts'
import { openTools } from './open-tools.ts'
import type { LiveOutput, LiveOutputs } from './live-output.ts'
import { readPrompt, type Prompt } from '../prompts/prompt-files.ts'
import { createRenderClock } from '../prompts/render-clock.ts'
import { createTemplateVariables } from '../prompts/template-variables.ts'
import { renderTemplate, TemplateFailure } from '../prompts/template.ts'
import { startProgressWriter } from './progress-writer.ts'
import { saveResultDocument } from './result-document.ts'
import type { TokenUsage } from '../task.ts'
import type { ToolServers } from '../tool-servers/tool-server-settings.ts'
import { addUsage } from '../usage/usage-store.ts'

type Parts = {
  db: Db
  log: Log
  nodeId: string
  /** The data folder. */
  root: string
  promptsDir: string
  documentReader: DocumentReader
  /** A document was written: the index is level when it resolves. */
  documentChanged(documentPath: string): Promise<void>
  models: Models
  prices: Prices
  toolServers: ToolServers
  outputs: LiveOutputs
  time(): Promise<Date>
  onEnded(status: ExecutionOutcome['status']): void
}

/** What an execution has come to so far, for whoever has to end it. */
type ExecutionState = {
  model: string | null
  meter: TokenMeter
  output: LiveOutput
  sources: Set<string>
  /** Left when its end is stored: saying goodbye to a server may take a moment. */
  used: AsyncDisposableStack
}

const NOT_STORED_SUMMARY = 'What it said could not be stored; the log of the service tells more'

/** A reason to fail that is written for a person. */
class ExecutionFailure extends Error {
  override readonly name = 'ExecutionFailure'
}

/** What is written for a person, by whoever threw it. */
const EXPECTED_ERRORS = [ExecutionFailure, ModelFailure, TemplateFailure, OperatorError]

/** Carries out one execution, from reading its prompt to saving its result, and ends it whatever happens. */
export async function runExecution(
  parts: Parts,
  claimed: ClaimedExecution,
  signal: AbortSignal,
): Promise<void> {
  await runAndStore(parts, claimed, signal)
  // After its output is closed: whoever watches reads the end from the database.
  parts.outputs.notify(claimed.id)
}

async function runAndStore(
  parts: Parts,
  claimed: ClaimedExecution,
  signal: AbortSignal,
): Promise<void> {
  await using used = new AsyncDisposableStack()
  using output = parts.outputs.open(claimed.id)
  const course: ExecutionState = {
    model: null,
    meter: createTokenMeter(),
    output,
    sources: new Set(),
    used,
  }
  await using progress = startProgressWriter({ ...parts, executionId: claimed.id, output })
  const ending = await runWithTimeout(parts, claimed, course, signal)
  await progress.stop()
  await storeOutcome(parts, claimed, course, ending)
}

/** Null: somebody else has ended it. */
async function runWithTimeout(
  parts: Parts,
  claimed: ClaimedExecution,
  course: ExecutionState,
  signal: AbortSignal,
): Promise<ExecutionOutcome | null> {
  try {
    const raced = await runWithDeadline(claimed.timeoutMs, signal, async (inner) => {
      const prompt = await loadPrompt(parts.promptsDir, claimed.promptName)
      const text = await answerPrompt(parts, claimed, prompt, course, inner)
      return { prompt, text: text.replaceAll('\0', '') }
    })
    if (raced.ended === 'aborted') return null
    if (raced.ended === 'late') {
      const summary = `Stopped after its timeout of ${claimed.timeoutMs} ms`
      return { status: 'timeout', summary, output: course.output.text, documentPath: null }
    }
    const { prompt, text } = raced.value
    const documentPath = await saveResultIfOwned(parts, claimed, prompt, course, text)
    return { status: 'completed', summary: text.trim(), output: text, documentPath }
  } catch (error) {
    const summary = failureSummary(parts.log, claimed, error)
    return { status: 'failed', summary, output: course.output.text, documentPath: null }
  }
}

async function loadPrompt(dir: string, name: string): Promise<Prompt> {
  const reading = await readPrompt(dir, name)
  if (reading.state === 'ready') return reading.prompt
  if (reading.state === 'missing') throw new ExecutionFailure(`Prompt not found: ${name}`)
  const problems = reading.problems.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  )
  throw new ExecutionFailure(`The prompt ${name} has problems: ${problems.join('; ')}`)
}

async function answerPrompt(
  parts: Parts,
  claimed: ClaimedExecution,
  prompt: Prompt,
  course: ExecutionState,
  signal: AbortSignal,
): Promise<string> {
  const { db, nodeId, documentReader, models } = parts
  const { settings } = prompt
  const engine = chooseEngine(settings, models.defaultName)
  course.model = engine.model
  const last = await findLastCompletedExecution(db, claimed.taskId)
  const projects = await resolveProjects(documentReader, settings)
  const clock = createRenderClock()
  const transcripts = await listTrackedTranscripts(documentReader, projects, (transcript) => {
    // A template that reads without end stops with its execution.
    signal.throwIfAborted()
    course.sources.add(transcript.path)
    return clock.excludeWait(transcript.read())
  })
  const facts = {
    now: claimed.startedAt,
    timezone: claimed.timezone,
    taskName: claimed.taskName,
    executionId: claimed.id,
    trigger: claimed.triggerType,
    scheduledFor: claimed.scheduledFor,
    missed: claimed.missed,
    project: settings.project,
    projects,
    lastRunAt: last?.startedAt ?? null,
    lastResult: last?.output ?? null,
    transcripts,
  }
  const text = await renderTemplate(
    prompt.body,
    createTemplateVariables(facts),
    claimed.startedAt,
    clock,
  )
  const known = { model: engine.model, promptHash: prompt.sha256 }
  await saveExecutionProgress(db, claimed.id, nodeId, { ...known, promptText: text })
  if (engine.isBuiltin && settings.builtin !== undefined) {
    const fresh = transcripts.filter(({ settledAt }) => last === null || settledAt > last.startedAt)
    const report = await reportOnTranscripts(settings.builtin, fresh)
    course.output.append(report)
    return report
  }
  const { tools } = course.used.use(
    await openTools(
      { servers: parts.toolServers, log: parts.log },
      settings.tools,
      { documentReader, projects, onDocumentRead: (path) => course.sources.add(path) },
      signal,
    ),
  )
  return askModel(
    models,
    {
      settings,
      model: engine.model,
      prompt: text,
      tools,
      listener: {
        onText: course.output.append.bind(course.output),
        onStep: course.meter.beginStep,
        onTokens: course.meter.addTokens,
        onAttempt(attempts) {
          if (attempts === 1) return
          course.output.reset()
          saveExecutionProgress(db, claimed.id, nodeId, { attempts }).catch((error: unknown) => {
            parts.log.warn({ err: error, executionId: claimed.id }, 'attempt not noted')
          })
        },
      },
    },
    signal,
  )
}

async function resolveProjects(
  documentReader: DocumentReader,
  { project, projects }: Prompt['settings'],
): Promise<string[]> {
  const others = projects === '*' ? await documentReader.projects() : projects
  return [...new Set([project, ...others])]
}

/** Transcripts that are read in a way of our own. */
async function listTrackedTranscripts(
  documentReader: DocumentReader,
  projects: string[],
  read: (transcript: SavedTranscript) => Promise<string>,
): Promise<SavedTranscript[]> {
  const transcripts = await documentReader.transcripts(projects)
  return transcripts.map((transcript) => ({ ...transcript, read: () => read(transcript) }))
}

async function saveResultIfOwned(
  { db, nodeId, root, time, documentChanged }: Parts,
  claimed: ClaimedExecution,
  { settings }: Prompt,
  course: ExecutionState,
  text: string,
): Promise<string | null> {
  // Nothing is written for one that was given up or cancelled meanwhile.
  const isOurs = await retryTransient(() =>
    saveExecutionProgress(db, claimed.id, nodeId, { output: text }),
  )
  if (!isOurs || !settings.output.save) return null
  const documentPath = await saveResultDocument(root, settings, {
    taskName: claimed.taskName,
    executionId: claimed.id,
    model: course.model ?? '',
    usage: course.meter.usage(),
    timezone: claimed.timezone,
    at: await time(),
    text,
    sources: [...course.sources],
  })
  await documentChanged(documentPath)
  return documentPath
}

async function storeOutcome(
  parts: Parts,
  claimed: ClaimedExecution,
  { model, meter }: ExecutionState,
  ending: ExecutionOutcome | null,
): Promise<void> {
  const { db, nodeId, prices, log } = parts
  const usage: TokenUsage = meter.usage()
  const costUsd = model === null ? null : calculateCost(prices, model, usage)
  // An answer may have cost money: a database that is away for a moment must not lose it.
  const now = await retryTransient(parts.time)
  const store = (as: ExecutionOutcome | null) =>
    retryTransient(async (isRepeat) => {
      if (isRepeat && (await isEndedAt(db, claimed.id, now))) return as
      return db.transaction().execute(async (tx) => {
        const isEnded = as !== null && (await endExecution(tx, claimed.id, nodeId, as, now))
        await saveExecutionUsage(tx, claimed.id, nodeId, { ...usage, costUsd })
        if (model !== null) {
          await addUsage(tx, { ...usage, at: now, taskName: claimed.taskName, model, costUsd })
        }
        return isEnded ? as : null
      })
    })
  const stored = await store(ending).catch((error: unknown) => {
    if (ending === null || isTransient(error)) throw error
    log.error({ err: error, executionId: claimed.id }, 'result not stored')
    // What was used counts all the same, or a budget would never be used up.
    return store({ ...ending, status: 'failed', summary: NOT_STORED_SUMMARY, output: '' })
  })
  if (stored === null) return
  parts.onEnded(stored.status)
  log.info(
    { taskName: claimed.taskName, executionId: claimed.id, status: stored.status, model, ...usage },
    'execution ended',
  )
}

function failureSummary(log: Log, { id, taskName }: ClaimedExecution, error: unknown): string {
  const isKnown = EXPECTED_ERRORS.some((kind) => error instanceof kind)
  if (isKnown) return messageOf(error)
  log.error({ err: error, executionId: id, taskName }, 'execution failed')
  return 'Something went wrong inside the service; its log tells more'
}
