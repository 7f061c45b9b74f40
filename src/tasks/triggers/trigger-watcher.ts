import { sql } from 'kysely'
import { mayUseProject } from '../../access/project-use.ts'
import type { Db, Tx } from '../../db/database.ts'
import { createWakeableLoop } from '../../lib/async/wake-up.ts'
import { newOrderedId } from '../../lib/crypto.ts'
import type { Log } from '../../log.ts'
import type { MeetingsArea } from '../../meetings/area.ts'
import type { ProjectsArea } from '../../projects/area.ts'
import { insertExecutions, type NewExecution } from '../executions/execution-store.ts'
import {
  toTaskViewer,
  TRIGGER_EVENTS,
  type TriggerEvent,
  type Task,
  type TaskRights,
} from '../task.ts'
import {
  findDocumentOccurrences,
  findMeetingOccurrences,
  findPlannedMeetingOccurrences,
} from './occurrences.ts'
import type { TaskTrigger, TriggerSource } from './task-trigger.ts'

/** Starts tasks when a meeting ends or will start, or a document is saved: each task once, even with several nodes. */
export interface TriggerWatcher extends AsyncDisposable {
  /** Checks now, because a meeting ended or a document was saved. */
  wake(): void
  runOnce(): Promise<void>
}

type Parts = {
  db: Db
  log: Log
  time(): Promise<Date>
  /** Returns the prompts that may not run now because the budget is used up. */
  overBudget(promptNames: readonly string[]): Promise<ReadonlySet<string>>
  /** Called with new executions, which are queued. */
  onFired(executionIds: readonly string[]): void
  /** Called for each execution that was stored as failed because the budget is used up. */
  onRefused(): void
}

/** The maximum delay until another node starts the tasks of a meeting whose node died when it ended. */
const POLL_INTERVAL_MS = 10_000
const BATCH_SIZE = 50

type TriggerMatcher = (trigger: TaskTrigger) => boolean

export type TriggerOccurrence = {
  event: TriggerEvent
  /** Identifies the occurrence: a task has at most one execution with this key. */
  key: string
  /** The project of the meeting or document. */
  project: string
  source: TriggerSource
  /** The task that the meeting names to run after it, whatever its trigger is; null for none. */
  namedTask: string | null
  /** The only task that it can start. Absent for all tasks. */
  onlyTaskId?: string
  /** The step of a trace that began the meeting. Null for none. */
  traceParent: string | null
  /** Reads what conditions can refer to, and returns a function that compares it with a trigger. */
  loadMatcher(): Promise<TriggerMatcher>
  /** Marks the occurrence as handled in the transaction. False if another node has done so or it is gone. */
  claim(tx: Tx): Promise<boolean>
}

type TriggeredTask = Pick<Task, 'id' | 'name' | 'promptName' | 'trigger'> & TaskRights

type TriggeredExecutions = {
  /** Executions that were queued. */
  queuedIds: string[]
  /** Names of the tasks whose execution was stored as failed because the budget is used up. */
  overBudget: string[]
}

const NO_EXECUTIONS: TriggeredExecutions = { queuedIds: [], overBudget: [] }
const OVER_BUDGET_SUMMARY = 'Not run: the budget for language models is used up'

/** What the caller determined about an occurrence before the transaction. */
type OccurrenceAssessment = {
  taskIds: readonly string[]
  matches: TriggerMatcher
  /** Names of prompts that may not run now. */
  overBudget: ReadonlySet<string>
}

type LockedTask = Awaited<ReturnType<typeof lockTasksWithoutExecution>>[number]

const FIND_OCCURRENCES: Readonly<
  Record<TriggerEvent, (db: Db, now: Date, limit: number) => Promise<TriggerOccurrence[]>>
> = {
  meeting_ended: findMeetingOccurrences,
  document_saved: findDocumentOccurrences,
  before_meeting: findPlannedMeetingOccurrences,
}

type EventSources = {
  meetings: Pick<MeetingsArea, 'onMeetingEnded'>
  projects: Pick<ProjectsArea, 'onDocumentSaved'>
}

/** Starts a watcher that also checks at once when a meeting ends or a document is saved on this node. */
export function startTriggerWatcher(parts: Parts & EventSources): TriggerWatcher {
  const watcher = createTriggerWatcher(parts)
  parts.meetings.onMeetingEnded(watcher.wake)
  parts.projects.onDocumentSaved(watcher.wake)
  watcher.wake()
  return watcher
}

export function createTriggerWatcher(parts: Parts): TriggerWatcher {
  const { db, log, time } = parts
  const closing = new AbortController()

  const start = async (occurrence: TriggerOccurrence, tasks: readonly TriggeredTask[]) => {
    const matches = tasks.length === 0 ? () => false : await occurrence.loadMatcher()
    const matching: TriggeredTask[] = []
    for (const task of tasks) {
      if (!isStartedBy(occurrence, task, matches)) continue
      if (await mayUseProject(db, toTaskViewer(task), 'read', occurrence.project))
        matching.push(task)
    }
    const overBudget = await parts.overBudget(matching.map(({ promptName }) => promptName))
    const taskIds = matching.map(({ id }) => id)
    const assessment = { taskIds, matches, overBudget }
    const started = await startTriggeredTasks(db, occurrence, assessment, await time())
    for (const taskName of started.overBudget) {
      log.warn({ taskName, ...occurrence.source, reason: 'budget' }, 'refused an execution')
      parts.onRefused()
    }
    if (started.queuedIds.length > 0) parts.onFired(started.queuedIds)
  }
  /** Handles one batch. True if there may be more. */
  const startBatch = async (event: TriggerEvent): Promise<boolean> => {
    const find = FIND_OCCURRENCES[event]
    const occurrences = await find(db, await time(), BATCH_SIZE)
    // Read after the occurrences, so that a task that existed when a meeting ended is not missed.
    const names = occurrences.flatMap(({ namedTask }) => (namedTask === null ? [] : [namedTask]))
    const tasks = occurrences.length === 0 ? [] : await findTriggeredTasks(db, event, names)
    let failures = 0
    for (const occurrence of occurrences) {
      if (closing.signal.aborted) return false
      try {
        await start(occurrence, tasks)
      } catch (error) {
        // The next check tries it again. The others must not wait for it.
        failures += 1
        log.error({ err: error, ...occurrence.source }, 'failed to start triggered tasks')
      }
    }
    return occurrences.length === BATCH_SIZE && failures === 0
  }
  const runOnce = async () => {
    for (const event of TRIGGER_EVENTS) {
      while (!closing.signal.aborted && (await startBatch(event)));
    }
  }
  const loop = createWakeableLoop({
    closing,
    async round() {
      await runOnce()
      return POLL_INTERVAL_MS
    },
    onError(error) {
      log.error({ err: error }, 'failed to check for triggers')
      return POLL_INTERVAL_MS
    },
  })
  return { ...loop, runOnce }
}

/** The enabled tasks that this kind of event can start, and tasks with one of these names. */
function findTriggeredTasks(
  db: Db,
  event: TriggerEvent,
  names: readonly string[],
): Promise<TriggeredTask[]> {
  return db
    .selectFrom('task')
    .select(['id', 'name', 'prompt_name as promptName', 'trigger'])
    .select(['owner_id as ownerId', 'project', 'projects'])
    .where(sql<boolean>`(trigger ->> 'on' = ${event} or name = any(${names}::text[]))`)
    .where('enabled', '=', true)
    .execute()
}

/** True if an occurrence starts a task: it names the task, or matches its trigger. */
function isStartedBy(
  { namedTask, onlyTaskId }: Pick<TriggerOccurrence, 'namedTask' | 'onlyTaskId'>,
  { id, name, trigger }: Pick<TriggeredTask, 'id' | 'name' | 'trigger'>,
  matches: TriggerMatcher,
): boolean {
  if (onlyTaskId !== undefined && id !== onlyTaskId) return false
  return name === namedTask || (trigger !== null && matches(trigger))
}

/**
 * In one transaction, claims an occurrence and creates one execution for each of these tasks whose trigger still
 * matches. A task over budget gets a failed execution, so that people see what did not run.
 */
function startTriggeredTasks(
  db: Db,
  occurrence: TriggerOccurrence,
  { taskIds, matches, overBudget }: OccurrenceAssessment,
  now: Date,
): Promise<TriggeredExecutions> {
  return db.transaction().execute(async (tx) => {
    if (!(await occurrence.claim(tx)) || taskIds.length === 0) return NO_EXECUTIONS
    const tasks = (await lockTasksWithoutExecution(tx, taskIds, occurrence.key)).filter((task) =>
      isStartedBy(occurrence, task, matches),
    )
    if (tasks.length === 0) return NO_EXECUTIONS
    await tx
      .updateTable('task')
      .set((eb) => ({ last_number: eb('last_number', '+', 1) }))
      .where(
        'id',
        'in',
        tasks.map(({ id }) => id),
      )
      .execute()
    const executions = tasks.map((task) => ({
      ...toExecution(occurrence, task, now),
      ...(overBudget.has(task.promptName) && { refusal: OVER_BUDGET_SUMMARY }),
    }))
    await insertExecutions(tx, executions)
    const queuedIds = executions.flatMap(({ id, refusal }) => (refusal === undefined ? [id] : []))
    const refused = tasks.filter(({ promptName }) => overBudget.has(promptName))
    return { queuedIds, overBudget: refused.map(({ name }) => name) }
  })
}

/** Locks the tasks that are still enabled and have no execution for this occurrence. */
function lockTasksWithoutExecution(tx: Tx, ids: readonly string[], key: string) {
  return tx
    .selectFrom('task')
    .select(['id', 'name', 'prompt_name as promptName', 'trigger'])
    .select(['cron_expression as cronExpression', 'last_number as lastNumber'])
    .where('id', 'in', ids)
    .where('enabled', '=', true)
    .where(
      sql<boolean>`not exists (select from execution where task_id = task.id and trigger_key = ${key})`,
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

function toExecution(
  { event, key, source, traceParent }: TriggerOccurrence,
  { id: taskId, cronExpression, lastNumber }: LockedTask,
  now: Date,
): NewExecution {
  return {
    id: newOrderedId('execution', now),
    taskId,
    number: lastNumber + 1,
    executionType: cronExpression === null ? 'on_demand' : 'schedule',
    triggerType: event,
    scheduledFor: null,
    missed: 0,
    isCatchUp: false,
    at: now,
    triggerKey: key,
    triggeredBy: source,
    traceParent,
  }
}
