import type { AreaContext } from '../db/context.ts'
import type { ProjectAccessStore } from '../access/project-access.ts'
import type { Viewer } from '../access/viewer.ts'
import { readPrices } from '../ai/prices.ts'
import { traceModels } from '../ai/traced-model.ts'
import { createModelFinder, type ModelSettings } from '../ai/providers.ts'
import { isBudgetUsedUp, listUsage, type TokenAndCostBudget } from '../ai/usage.ts'
import type { BriefCollector } from '../brief/collect-brief.ts'
import type { Tx } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { stopOnShutdown, type Shutdown } from '../lib/async/shutdown.ts'
import type { Span, Tracer } from '../lib/tracer.ts'
import type { Log } from '../log.ts'
import type { MeetingsArea } from '../meetings/area.ts'
import type { ProjectsArea } from '../projects/area.ts'
import { createWriteLock } from '../projects/files/concurrent-writes.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import { findRecentExecutionsOfTasks } from './executions/execution-reads.ts'
import type { ClaimedExecution } from './executions/execution-store.ts'
import { createExecutions } from './executions/executions.ts'
import { createTaskMetrics } from './metrics.ts'
import { listCheckedPrompts } from './prompts/check-prompts.ts'
import { createTryPrompt } from './prompts/editing/preview-prompt.ts'
import { createPromptEditing } from './prompts/editing/prompt-editing.ts'
import { readPrompt } from './prompts/prompt-files.ts'
import type { PromptFiles } from './prompts/store/prompt-storage.ts'
import { createTemplateRenderer } from './prompts/template/template-renderer.ts'
import { startExecutionRunner, type ExecutionRunner } from './running/execution-runner.ts'
import {
  createLiveOutputs,
  type LiveOutputs,
  type OutputPosition,
  streamExecutionOutput,
} from './running/live-output.ts'
import { createBudgetBlockedPromptFinder } from './running/prompt-engine.ts'
import { runExecutionAndStoreOutcome, type FailedExecution } from './running/run-execution.ts'
import { createScheduler, type Scheduler } from './scheduling/scheduler.ts'
import { createTaskPlanner, type SchedulingPolicy } from './scheduling/task-planner.ts'
import { createTasks } from './tasks.ts'
import { readToolServers } from './tool-servers/tool-server-settings.ts'
import { startTriggerWatcher } from './triggers/trigger-watcher.ts'

export type InstanceTaskSettings = SchedulingPolicy & {
  concurrency: number
  catchUp: 'once' | 'skip'
}

type Parts = AreaContext & {
  tracer: Tracer
  membership: NodeMembership
  shutdown: Shutdown
  files: DocumentFiles
  promptFiles: PromptFiles
  projects: Pick<ProjectsArea, 'openDocumentReader' | 'documentChanged' | 'onDocumentSaved'>
  meetings: Pick<MeetingsArea, 'onMeetingEnded'>
  collectBrief: BriefCollector
  registerProject: ProjectAccessStore['registerProject']
  hasDiskSpace(): boolean
  models: ModelSettings
  pricesFile: string | undefined
  toolServersFile: string | undefined
  budget: TokenAndCostBudget
  rules: InstanceTaskSettings
  /** Runs in the transaction that stores the outcome of a failed execution. */
  onFailed(tx: Tx, failed: FailedExecution): Promise<void>
}

/** A person waits for a preview, so a stuck thread is given up earlier than for an execution. */
const PREVIEW_STUCK_AFTER_MS = 20_000

type ChangeListeners = {
  membership: NodeMembership
  scheduler: Scheduler | null
  runner: ExecutionRunner
  outputs: LiveOutputs
}

/**
 * Creates and connects all parts of the tasks area. Only a node with the role `tasks` schedules and runs executions;
 * other nodes only have the functions of the API.
 */
export async function openTasksArea(parts: Parts) {
  const { db, clock, log, membership, promptFiles, rules } = parts
  await using stack = new AsyncDisposableStack()
  await promptFiles.addSamplesIfEmpty()
  const planner = createTaskPlanner(rules)
  const models = traceModels(createModelFinder(parts.models, log), parts.tracer)
  const prices = readPrices(parts.pricesFile)
  const toolServers = readToolServers(parts.toolServersFile)
  const outputs = createLiveOutputs(membership)
  const { executionRenderer, checkRenderer, previewRenderer } = createRenderers(log, stack)
  const promptEditing = await createPromptEditing({
    ...parts,
    toolServers,
    checkRenderer,
    previewRenderer,
    ...parts.projects,
  })
  const withWriteLock = createWriteLock(db)
  const metrics = createTaskMetrics(db, () => runner.runningCount())

  const doesTasks = membership.hasRole('tasks')
  const startRunner = doesTasks ? startExecutionRunner : startNoExecutions
  const runner = startRunner({
    ...parts,
    graceOver: parts.shutdown.graceOver,
    outputs,
    concurrency: rules.concurrency,
    execute: (claimed, signal) =>
      runTraced(parts.tracer, claimed, (span) =>
        runExecutionAndStoreOutcome(
          {
            ...parts,
            nodeId: membership.nodeId,
            withWriteLock,
            renderer: executionRenderer,
            ...parts.projects,
            models,
            prices,
            toolServers,
            outputs,
            onEnded(status) {
              metrics.countEnded(status)
              if (status !== 'completed') span.fail(status)
            },
          },
          claimed,
          signal,
        ),
      ),
  })
  stack.use(stopOnShutdown(parts.shutdown, runner))
  const onFired = () => {
    runner.wake()
    membership.broadcast('execution_queued', {})
  }
  const overBudget = createBudgetBlockedPromptFinder({
    promptFiles,
    defaultModel: models.defaultName,
    isBudgetUsedUp: async () => isBudgetUsedUp(db, parts.budget, clock.now()),
  })
  const scheduler = doesTasks
    ? stack.use(
        createScheduler({
          ...parts,
          planner,
          overBudget,
          onFired,
          onSkipped: metrics.countSkipped,
          catchesUp: (promptName) => catchesUp(promptFiles, promptName, rules),
        }),
      )
    : null
  const onRefused = () => metrics.countEnded('failed')
  if (doesTasks)
    stack.use(
      startTriggerWatcher({
        ...parts,
        time: async () => clock.now(),
        overBudget,
        onFired,
        onRefused,
      }),
    )
  else parts.projects.onDocumentSaved(() => membership.broadcast('follow_ups_due', {}))
  const { onEnded, onChanged } = shareChanges({ membership, scheduler, runner, outputs })
  const use = { planner, overBudget, onChanged, onFired, onEnded }
  const tasks = createTasks({ ...parts, ...use, checkRenderer })
  const executions = createExecutions({
    ...parts,
    ...use,
    getTask: tasks.get,
    requireFreshHeartbeat: membership.requireFreshHeartbeat,
  })
  scheduler?.wake()
  const opened = stack.move()
  return {
    tasks,
    executions,
    metrics,
    promptEditing,
    tryPrompt: createTryPrompt({ db, promptFiles, tasks, executions, checkRenderer }),
    listPrompts: () => listCheckedPrompts(promptFiles, toolServers, parts.models, checkRenderer),
    listUsage: (viewer: Viewer, from: string, to: string) => listUsage(db, viewer, from, to),
    recentExecutions: (viewer: Viewer, names: readonly string[]) =>
      findRecentExecutionsOfTasks(db, viewer, names),
    streamOutput: (id: string, after: OutputPosition, signal: AbortSignal) =>
      streamExecutionOutput({ db, outputs }, id, after, signal),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export type TasksArea = Awaited<ReturnType<typeof openTasksArea>>
function runTraced(
  tracer: Tracer,
  { id, taskId, triggerType, traceParent: parent }: ClaimedExecution,
  work: (span: Span) => Promise<void>,
): Promise<void> {
  const attributes = {
    'hansard.execution.id': id,
    'hansard.task.id': taskId,
    'hansard.trigger': triggerType,
  }
  return tracer.run('run task', { kind: 'consumer', parent, attributes }, work)
}

/** The runner of a node that runs no tasks. */
function startNoExecutions(): ExecutionRunner {
  return {
    wake() {},
    interrupt() {},
    runningCount: () => 0,
    async [Symbol.asyncDispose]() {},
  }
}

/** Each use has its own threads, so that checks of slow templates do not delay executions. */
function createRenderers(log: Log, stack: AsyncDisposableStack) {
  return {
    executionRenderer: stack.use(createTemplateRenderer({ log, maxThreads: 2 })),
    checkRenderer: stack.use(createTemplateRenderer({ log, maxThreads: 1 })),
    previewRenderer: stack.use(
      createTemplateRenderer({ log, maxThreads: 1, stuckAfterMs: PREVIEW_STUCK_AFTER_MS }),
    ),
  }
}

/** Handles changes from other nodes. Returns functions that handle a change on this node and notify the others. */
function shareChanges({ membership, scheduler, runner, outputs }: ChangeListeners) {
  membership.onMessage('tasks_changed', () => scheduler?.wake())
  membership.onMessage('execution_queued', () => runner.wake())
  membership.onMessage('executions_ended', ({ executionIds }) => runner.interrupt(executionIds))
  return {
    onEnded(ended: readonly string[]): void {
      runner.interrupt(ended)
      for (const id of ended) outputs.notify(id)
      membership.broadcast('executions_ended', { executionIds: [...ended] })
    },
    onChanged(): void {
      scheduler?.wake()
      membership.broadcast('tasks_changed', {})
    },
  }
}

/** True if missed due times are caught up on. The prompt decides, or else the instance's setting. */
async function catchesUp(
  promptFiles: PromptFiles,
  promptName: string,
  rules: InstanceTaskSettings,
): Promise<boolean> {
  const reading = await readPrompt(promptFiles, promptName)
  const setting = reading.state === 'ready' ? reading.prompt.settings.catchUp : undefined
  return (setting ?? rules.catchUp) === 'once'
}
