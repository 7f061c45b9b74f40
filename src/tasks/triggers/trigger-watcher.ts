import { mayUseProject } from '../../access/project-use.ts'
import type { Db } from '../../db/database.ts'
import { createWakeableLoop } from '../../lib/async/wakeable-loop.ts'
import type { Log } from '../../log.ts'
import type { MeetingsArea } from '../../meetings/area.ts'
import type { ProjectsArea } from '../../projects/area.ts'
import type { ExecutionQueue } from '../running/execution-queue.ts'
import { toTaskViewer, TRIGGER_EVENTS, type TriggerEvent } from '../task.ts'
import { findDocumentOccurrences, findMeetingOccurrences } from './occurrences.ts'
import {
  findTriggeredTasks,
  isStartedBy,
  startTriggeredTasks,
  type TriggeredTask,
  type TriggerOccurrence,
} from './start-triggered-tasks.ts'

/** Starts tasks when a meeting ends or a document is saved: each task once, even with several nodes. */
export interface TriggerWatcher extends AsyncDisposable {
  /** Checks now, because a meeting ended or a document was saved. */
  wake(): void
  /** Checks once. */
  runOnce(): Promise<void>
}

type Parts = {
  db: Db
  log: Log
  queue: ExecutionQueue
  time(): Promise<Date>
  /** Returns those of the prompts that may not run now, because the budget is used up. */
  overBudget(promptNames: readonly string[]): Promise<ReadonlySet<string>>
  /** Called with new executions, which wait in the queue. */
  onFired(executionIds: readonly string[]): void
  /** Called for each execution that was stored as failed, because the budget is used up. */
  onRefused(): void
}

/** How long it takes at most until another node starts the tasks of a meeting whose node died when it ended. */
const POLL_INTERVAL_MS = 10_000
const BATCH_SIZE = 50

const FIND_OCCURRENCES: Readonly<
  Record<TriggerEvent, (db: Db, now: Date, limit: number) => Promise<TriggerOccurrence[]>>
> = { meeting_ended: findMeetingOccurrences, document_saved: findDocumentOccurrences }

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
  const { db, log, queue, time } = parts
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
    const started = await startTriggeredTasks(db, queue, occurrence, assessment, await time())
    for (const taskName of started.overBudget) {
      log.warn({ taskName, ...occurrence.source, reason: 'budget' }, 'refused an execution')
      parts.onRefused()
    }
    if (started.queuedIds.length > 0) parts.onFired(started.queuedIds)
  }
  /** Handles one batch. True when there may be more. */
  const startBatch = async (event: TriggerEvent): Promise<boolean> => {
    const find = FIND_OCCURRENCES[event]
    const occurrences = await find(db, await time(), BATCH_SIZE)
    // Read after the occurrences: a task that existed when a meeting ended must not be missed.
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
