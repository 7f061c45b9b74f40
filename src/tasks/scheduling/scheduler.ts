import type { Db } from '../../db/database.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import { startNextCatchUp } from './catch-up.ts'
import {
  findDueTasks,
  claimDueTasks,
  findNextDueTime,
  type DueTask,
  type DueDecision,
} from './claim-due-tasks.ts'
import { classifyDueTime, type DueStatus } from './due-status.ts'
import type { TaskPlanner } from './task-planner.ts'
import type { ExecutionQueue } from '../running/execution-queue.ts'
import { replanTasks } from './replan-tasks.ts'
import type { SkipReason } from '../task.ts'

/** Turns due times into executions, each of them once, whatever the nodes and their clocks do. */
export interface Scheduler extends AsyncDisposable {
  /** Something has changed: look now. */
  wake(): void
  /** One look. Answers in how many milliseconds there is something to do. */
  runOnce(): Promise<number>
}

type Parts = {
  db: Db
  log: Log
  queue: ExecutionQueue
  planner: TaskPlanner
  /** The time that all nodes share. */
  time(): Promise<Date>
  /** Milliseconds that never go back. */
  steady?: () => number
  /** What the prompt, or else the instance, wants of a time that was missed. */
  catchesUp(promptName: string): Promise<boolean>
  /** Which of these prompts may not run now, because the money or the tokens are used up. */
  overBudget(promptNames: readonly string[]): Promise<ReadonlySet<string>>
  /** Executions wait. */
  onFired(executionIds: readonly string[]): void
  onSkipped(reason: SkipReason): void
}

const BATCH_SIZE = 200
/** So often it is looked in any case: a clock may have been set, a machine may have slept. */
const MAX_SLEEP_MS = 30_000
/** Between two executions that make up for a missed time, so that a long outage is not followed by a storm. */
const CATCH_UP_SPACING_MS = 5_000
/** A clock that went back by more has made plans that lie too far ahead. */
const CLOCK_BACK_TOLERANCE_MS = 60_000

export function createScheduler(parts: Parts): Scheduler {
  const { db, log, queue, planner, time, steady = () => performance.now() } = parts
  const wakeUp = createWakeUp()
  const closing = new AbortController()
  let caughtUpAt = -Infinity
  let lastLook: ClockReading | null = null

  const note = ({ name, reason }: { name: string; reason: SkipReason }) => {
    log.info({ taskName: name, reason }, 'due time skipped')
    parts.onSkipped(reason)
  }
  const judge = async (tasks: DueTask[], now: Date): Promise<DueDecision[]> => {
    const refused = await parts.overBudget(tasks.map(({ promptName }) => promptName))
    return Promise.all(
      tasks.map(async (task) => {
        const isOverBudget = refused.has(task.promptName)
        const schedule = planner.checkSchedule(task.cronExpression, task.timezone)
        // Only where the rules have become stricter: the task stays, and is not due again.
        if (Array.isArray(schedule)) {
          log.warn({ taskName: task.name, problems: schedule }, 'schedule not allowed any more')
          const dueStatus: DueStatus = { state: 'late', latest: null, missed: 0 }
          return { task, dueStatus, plan: { nextRunAt: null, dueAt: null }, isOverBudget }
        }
        const dueStatus = classifyDueTime(schedule, task.nextRunAt, withoutSpread(task, now))
        const isDropped =
          dueStatus.state === 'late' &&
          dueStatus.latest !== null &&
          !(await parts.catchesUp(task.promptName))
        const plan = planner.planAfterDue(task.name, schedule, task.nextRunAt, now)
        return {
          task,
          dueStatus: isDropped ? { ...dueStatus, latest: null } : dueStatus,
          plan,
          isOverBudget,
        }
      }),
    )
  }
  const fireAll = async (now: Date) => {
    while (!closing.signal.aborted) {
      const tasks = await findDueTasks(db, now, BATCH_SIZE)
      if (tasks.length === 0) return
      const fired = await claimDueTasks(db, queue, await judge(tasks, now), now)
      for (const skip of fired.skips) note(skip)
      if (fired.executionIds.length > 0) parts.onFired(fired.executionIds)
      if (tasks.length < BATCH_SIZE) return
    }
  }
  /** Answers when to look again for more of it. */
  const catchUp = async (now: Date): Promise<number> => {
    const passed = steady() - caughtUpAt
    if (passed < CATCH_UP_SPACING_MS) return CATCH_UP_SPACING_MS - passed
    const waiting = await findNextCatchUpPrompt(db)
    if (waiting === null) return Infinity
    const refused = await parts.overBudget([waiting])
    const done = await startNextCatchUp(db, queue, { now, isOverBudget: refused.has(waiting) })
    if (done === null) return CATCH_UP_SPACING_MS
    if (done.skip !== null) note({ name: done.name, reason: done.skip })
    if (done.executionId === null) return 0
    caughtUpAt = steady()
    parts.onFired([done.executionId])
    return CATCH_UP_SPACING_MS
  }
  const look = async (): Promise<number> => {
    const now = await time()
    const at = { wall: now.getTime(), steady: steady() }
    if (lastLook !== null && isClockSetBack(lastLook, at)) {
      const count = await replanTasks(db, planner, now)
      log.warn({ tasks: count }, 'the clock went back: next runs found anew')
    }
    lastLook = at
    await fireAll(now)
    const again = await catchUp(now)
    const next = await findNextDueTime(db)
    const untilNext = next === null ? Infinity : next.getTime() - (await time()).getTime()
    return Math.max(0, Math.min(again, untilNext))
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      let sleepMs = MAX_SLEEP_MS
      try {
        sleepMs = Math.min(await look(), MAX_SLEEP_MS)
      } catch (error) {
        if (!closing.signal.aborted) log.error({ err: error }, 'due tasks not looked at')
        sleepMs = 1_000
      }
      await wakeUp.sleep(sleepMs)
    }
  }
  let looping: Promise<void> | null = null
  return {
    wake() {
      looping ??= loop()
      wakeUp.wake()
    },
    runOnce: look,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
    },
  }
}

/** What the time would be if the task had not been put off: by this it is on time or late. */
function withoutSpread({ nextRunAt, dueAt }: DueTask, now: Date): Date {
  return new Date(now.getTime() - (dueAt.getTime() - nextRunAt.getTime()))
}

/** The time on the clock, and how much time has really passed. */
type ClockReading = { wall: number; steady: number }

/** Time passed, and yet it is earlier. */
function isClockSetBack(last: ClockReading, now: ClockReading): boolean {
  return last.wall + (now.steady - last.steady) - now.wall > CLOCK_BACK_TOLERANCE_MS
}

/** The prompt of the task that waits longest for being made up for. */
async function findNextCatchUpPrompt(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('task')
    .select('prompt_name')
    .where('catch_up_for', 'is not', null)
    .orderBy('catch_up_for')
    .limit(1)
    .executeTakeFirst()
  return row?.prompt_name ?? null
}
