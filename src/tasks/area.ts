import { readPrices } from '../ai/prices.ts'
import { createModels, type ModelSettings } from '../ai/providers.ts'
import type { Db } from '../db/open.ts'
import type { Presence } from '../db/presence.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { ProjectsArea } from '../projects/area.ts'
import { createBudgetGate, type Budget } from './budget.ts'
import { execute } from './execute.ts'
import { createExecutions, type Executions } from './executions.ts'
import { findFigures, type TaskFigures } from './figures.ts'
import { createTaskMetrics, type TaskMetrics } from './metrics.ts'
import type { Position } from './position.ts'
import { createOutputs } from './output.ts'
import { createPlanner, type PlanRules } from './plan.ts'
import { checkPrompts } from './prompts/check.ts'
import { readPrompt, type ListedPrompt } from './prompts/files.ts'
import { promptsFolder } from './prompts/folder.ts'
import { writeSamples } from './prompts/samples.ts'
import { openQueue } from './queue.ts'
import { startRunner } from './runner.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { databaseTime } from './task-store.ts'
import { readToolServers } from './tool-servers/settings.ts'
import { createTasks, type Tasks } from './tasks.ts'
import { listUsage, type UsageRow } from './usage.ts'
import { watchExecution, type Piece } from './watch.ts'

export type TasksArea = AsyncDisposable & {
  tasks: Tasks
  executions: Executions
  scheduler: Scheduler
  metrics: TaskMetrics
  prompts(): Promise<ListedPrompt[]>
  usage(from: string, to: string): Promise<UsageRow[]>
  figures(names: readonly string[]): Promise<TaskFigures[]>
  watch(executionId: string, after: Position, signal: AbortSignal): AsyncGenerator<Piece>
}

export type TaskRules = PlanRules & { concurrency: number; catchUp: 'once' | 'skip' }

type Parts = {
  db: Db
  log: Log
  presence: Presence
  jobs: Jobs
  /** The data folder. */
  root: string
  projects: Pick<ProjectsArea, 'library' | 'documentSaved'>
  models: ModelSettings
  pricesFile: string | undefined
  toolServersFile: string | undefined
  budget: Budget
  rules: TaskRules
  /** A test's own clock in the place of the database's. */
  time: (() => Promise<Date>) | undefined
}

/** Called to other nodes. */
type Notice = { tasks?: 'changed'; fired?: true; ended?: readonly string[] }

/** The parts of the tasks area, put together. */
export async function openTasks(parts: Parts): Promise<TasksArea> {
  const { db, log, presence, root, rules } = parts
  const { library, documentSaved } = parts.projects
  await using stack = new AsyncDisposableStack()
  const time = parts.time ?? (() => databaseTime(db))
  const promptsDir = promptsFolder(root)
  await writeSamples(promptsDir)
  const queue = await openQueue(parts.jobs)
  const planner = createPlanner(rules)
  const models = createModels(parts.models)
  const prices = readPrices(parts.pricesFile)
  const toolServers = readToolServers(parts.toolServersFile)
  const outputs = createOutputs(presence)
  const call = (notice: Notice) => presence.call(JSON.stringify(notice))
  const metrics = createTaskMetrics(() => runner.running())

  const runner = stack.use(
    startRunner({
      db,
      log,
      presence,
      queue,
      outputs,
      concurrency: rules.concurrency,
      time,
      execute: (claimed, signal) =>
        execute(
          {
            db,
            log,
            nodeId: presence.nodeId,
            root,
            promptsDir,
            library,
            documentSaved,
            models,
            prices,
            toolServers,
            outputs,
            time,
            onEnded: metrics.ended,
          },
          claimed,
          signal,
        ),
    }),
  )
  const onFired = () => {
    runner.wake()
    call({ fired: true })
  }
  const overBudget = createBudgetGate({
    db,
    budget: parts.budget,
    promptsDir,
    defaultModel: models.defaultName,
    time,
  })
  const scheduler = stack.use(
    createScheduler({
      db,
      log,
      queue,
      planner,
      time,
      overBudget,
      onFired,
      onSkipped: metrics.skipped,
      async catchesUp(promptName) {
        const reading = await readPrompt(promptsDir, promptName)
        const wish = reading.state === 'ready' ? reading.prompt.settings.catchUp : undefined
        return (wish ?? rules.catchUp) === 'once'
      },
    }),
  )
  presence.onCall((text) => {
    const notice = JSON.parse(text) as Notice
    if (notice.tasks === 'changed') scheduler.wake()
    if (notice.fired) runner.wake()
    if (notice.ended !== undefined) runner.stop(notice.ended)
  })
  const onEnded = (ended: readonly string[]) => {
    runner.stop(ended)
    for (const id of ended) outputs.tell(id)
    call({ ended })
  }
  const onChanged = () => {
    scheduler.wake()
    call({ tasks: 'changed' })
  }
  const use = { db, queue, planner, promptsDir, time, overBudget, onChanged, onFired, onEnded }
  const tasks = createTasks(use)
  const executions = createExecutions({ ...use, getTask: tasks.get })
  scheduler.wake()
  const opened = stack.move()
  return {
    tasks,
    executions,
    scheduler,
    metrics,
    prompts: () => checkPrompts(promptsDir, toolServers),
    usage: (from, to) => listUsage(db, from, to),
    figures: (names) => findFigures(db, names),
    watch: (id, after, signal) => watchExecution({ db, outputs }, id, after, signal),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
