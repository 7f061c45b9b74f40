import { ModelFailure } from '../ai/model.ts'
import { costOf, type Prices } from '../ai/prices.ts'
import type { Models } from '../ai/providers.ts'
import type { Db } from '../db/open.ts'
import { isPassing, persevere } from '../db/passing-trouble.ts'
import { OperatorError } from '../errors.ts'
import { raceDeadline } from '../lib/deadline.ts'
import { messageOf } from '../lib/error-code.ts'
import type { Log } from '../log.ts'
import type { Library, Transcript } from '../projects/library.ts'
import { applyRules, askModel, engineFor } from './engine.ts'
import {
  endExecution,
  findLastCompleted,
  isEndedAt,
  saveProgress,
  saveUsage,
  type Claimed,
  type Ending,
} from './execution-store.ts'
import { createMeter, type Meter } from './meter.ts'
import { openTools } from './open-tools.ts'
import type { Output, Outputs } from './output.ts'
import { readPrompt, type Prompt } from './prompts/files.ts'
import { createRenderClock } from './prompts/render-clock.ts'
import { scopeOf } from './prompts/scope.ts'
import { renderTemplate, TemplateFailure } from './prompts/template.ts'
import { keepProgress } from './progress.ts'
import { saveResult } from './result-document.ts'
import type { Usage } from './task.ts'
import type { ToolServers } from './tool-servers/settings.ts'
import { addUsage } from './usage.ts'

type Parts = {
  db: Db
  log: Log
  nodeId: string
  /** The data folder. */
  root: string
  promptsDir: string
  library: Library
  /** A document was written: the index is level when it resolves. */
  documentSaved(documentPath: string): Promise<void>
  models: Models
  prices: Prices
  toolServers: ToolServers
  outputs: Outputs
  time(): Promise<Date>
  onEnded(status: Ending['status']): void
}

/** What an execution has come to so far, for whoever has to end it. */
type Course = {
  model: string | null
  meter: Meter
  output: Output
  sources: Set<string>
  /** Left when its end is stored: saying goodbye to a server may take a moment. */
  used: AsyncDisposableStack
}

const NOT_STORED = 'What it said could not be stored; the log of the service tells more'

/** A reason to fail that is written for a person. */
class Failed extends Error {
  override readonly name = 'Failed'
}

/** What is written for a person, by whoever threw it. */
const KNOWN = [Failed, ModelFailure, TemplateFailure, OperatorError]

/** Carries out one execution, from reading its prompt to saving its result, and ends it whatever happens. */
export async function execute(parts: Parts, claimed: Claimed, signal: AbortSignal): Promise<void> {
  await carryOut(parts, claimed, signal)
  // After its output is closed: whoever watches reads the end from the database.
  parts.outputs.tell(claimed.id)
}

async function carryOut(parts: Parts, claimed: Claimed, signal: AbortSignal): Promise<void> {
  await using used = new AsyncDisposableStack()
  using output = parts.outputs.open(claimed.id)
  const course: Course = { model: null, meter: createMeter(), output, sources: new Set(), used }
  await using progress = keepProgress({ ...parts, executionId: claimed.id, output })
  const ending = await run(parts, claimed, course, signal)
  await progress.stop()
  await finish(parts, claimed, course, ending)
}

/** Null: somebody else has ended it. */
async function run(
  parts: Parts,
  claimed: Claimed,
  course: Course,
  signal: AbortSignal,
): Promise<Ending | null> {
  try {
    const raced = await raceDeadline(claimed.timeoutMs, signal, async (inner) => {
      const prompt = await readyPrompt(parts.promptsDir, claimed.promptName)
      const text = await answer(parts, claimed, prompt, course, inner)
      return { prompt, text: text.replaceAll('\0', '') }
    })
    if (raced.ended === 'aborted') return null
    if (raced.ended === 'late') {
      const summary = `Stopped after its timeout of ${claimed.timeoutMs} ms`
      return { status: 'timeout', summary, output: course.output.text, documentPath: null }
    }
    const { prompt, text } = raced.value
    const documentPath = await keep(parts, claimed, prompt, course, text)
    return { status: 'completed', summary: text.trim(), output: text, documentPath }
  } catch (error) {
    const summary = reasonOf(parts.log, claimed, error)
    return { status: 'failed', summary, output: course.output.text, documentPath: null }
  }
}

async function readyPrompt(dir: string, name: string): Promise<Prompt> {
  const reading = await readPrompt(dir, name)
  if (reading.state === 'ready') return reading.prompt
  if (reading.state === 'missing') throw new Failed(`Prompt not found: ${name}`)
  const problems = reading.problems.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  )
  throw new Failed(`The prompt ${name} has problems: ${problems.join('; ')}`)
}

async function answer(
  parts: Parts,
  claimed: Claimed,
  prompt: Prompt,
  course: Course,
  signal: AbortSignal,
): Promise<string> {
  const { db, nodeId, library, models } = parts
  const { settings } = prompt
  const engine = engineFor(settings, models.defaultName)
  course.model = engine.model
  const last = await findLastCompleted(db, claimed.taskId)
  const projects = await projectsOf(library, settings)
  const clock = createRenderClock()
  const transcripts = await readable(library, projects, (transcript) => {
    // A template that reads without end stops with its execution.
    signal.throwIfAborted()
    course.sources.add(transcript.path)
    return clock.during(transcript.read())
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
  const text = await renderTemplate(prompt.body, scopeOf(facts), claimed.startedAt, clock)
  const known = { model: engine.model, promptHash: prompt.sha256 }
  await saveProgress(db, claimed.id, nodeId, { ...known, promptText: text })
  if (engine.isBuiltin && settings.builtin !== undefined) {
    const fresh = transcripts.filter(({ settledAt }) => last === null || settledAt > last.startedAt)
    const report = await applyRules(settings.builtin, fresh)
    course.output.add(report)
    return report
  }
  const { tools } = course.used.use(
    await openTools(
      { servers: parts.toolServers, log: parts.log },
      settings.tools,
      { library, projects, onRead: (path) => course.sources.add(path) },
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
        onText: course.output.add.bind(course.output),
        onStep: course.meter.begin,
        onTokens: course.meter.add,
        onAttempt(attempts) {
          if (attempts === 1) return
          course.output.reset()
          saveProgress(db, claimed.id, nodeId, { attempts }).catch((error: unknown) => {
            parts.log.warn({ err: error, executionId: claimed.id }, 'attempt not noted')
          })
        },
      },
    },
    signal,
  )
}

async function projectsOf(
  library: Library,
  { project, projects }: Prompt['settings'],
): Promise<string[]> {
  const others = projects === '*' ? await library.projects() : projects
  return [...new Set([project, ...others])]
}

/** Transcripts that are read in a way of our own. */
async function readable(
  library: Library,
  projects: string[],
  read: (transcript: Transcript) => Promise<string>,
): Promise<Transcript[]> {
  const transcripts = await library.transcripts(projects)
  return transcripts.map((transcript) => ({ ...transcript, read: () => read(transcript) }))
}

async function keep(
  { db, nodeId, root, time, documentSaved }: Parts,
  claimed: Claimed,
  { settings }: Prompt,
  course: Course,
  text: string,
): Promise<string | null> {
  // Nothing is written for one that was given up or cancelled meanwhile.
  const isOurs = await persevere(() => saveProgress(db, claimed.id, nodeId, { output: text }))
  if (!isOurs || !settings.output.save) return null
  const documentPath = await saveResult(root, settings, {
    taskName: claimed.taskName,
    executionId: claimed.id,
    model: course.model ?? '',
    usage: course.meter.usage(),
    timezone: claimed.timezone,
    at: await time(),
    text,
    sources: [...course.sources],
  })
  await documentSaved(documentPath)
  return documentPath
}

async function finish(
  parts: Parts,
  claimed: Claimed,
  { model, meter }: Course,
  ending: Ending | null,
): Promise<void> {
  const { db, nodeId, prices, log } = parts
  const usage: Usage = meter.usage()
  const costUsd = model === null ? null : costOf(prices, model, usage)
  // An answer may have cost money: a database that is away for a moment must not lose it.
  const now = await persevere(parts.time)
  const store = (as: Ending | null) =>
    persevere(async (isRepeat) => {
      if (isRepeat && (await isEndedAt(db, claimed.id, now))) return as
      return db.transaction().execute(async (tx) => {
        const isEnded = as !== null && (await endExecution(tx, claimed.id, nodeId, as, now))
        await saveUsage(tx, claimed.id, nodeId, { ...usage, costUsd })
        if (model !== null) {
          await addUsage(tx, { ...usage, at: now, taskName: claimed.taskName, model, costUsd })
        }
        return isEnded ? as : null
      })
    })
  const stored = await store(ending).catch((error: unknown) => {
    if (ending === null || isPassing(error)) throw error
    log.error({ err: error, executionId: claimed.id }, 'result not stored')
    // What was used counts all the same, or a budget would never be used up.
    return store({ ...ending, status: 'failed', summary: NOT_STORED, output: '' })
  })
  if (stored === null) return
  parts.onEnded(stored.status)
  log.info(
    { taskName: claimed.taskName, executionId: claimed.id, status: stored.status, model, ...usage },
    'execution ended',
  )
}

function reasonOf(log: Log, { id, taskName }: Claimed, error: unknown): string {
  const isKnown = KNOWN.some((kind) => error instanceof kind)
  if (isKnown) return messageOf(error)
  log.error({ err: error, executionId: id, taskName }, 'execution failed')
  return 'Something went wrong inside the service; its log tells more'
}
