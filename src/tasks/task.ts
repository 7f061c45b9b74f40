import type { TaskViewer } from '../access/viewer.ts'
import type { TruncationReason } from '../ai/truncation.ts'
import type { TaskTrigger, TriggerSource } from './triggers/task-trigger.ts'

export { TRUNCATION_REASONS, type TruncationReason } from '../ai/truncation.ts'

/** `running` includes waiting in the queue. `stale`: the node stopped before the execution ended. */
export const EXECUTION_STATUSES = ['running', 'completed', 'failed', 'timeout', 'stale'] as const
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** Tells if the task had a schedule when the execution was created. */
export const EXECUTED_TASK_KINDS = ['schedule', 'on_demand'] as const
export type ExecutedTaskKind = (typeof EXECUTED_TASK_KINDS)[number]
/** What can start a task besides its schedule and requests. */
export const TRIGGER_EVENTS = ['meeting_ended', 'document_saved', 'before_meeting'] as const
export type TriggerEvent = (typeof TRIGGER_EVENTS)[number]

/** The statuses in which a meeting can start a task. A failed meeting has the status `error`. */
export const TRIGGERING_MEETING_STATUSES = ['ended', 'error'] as const
export type TriggeringMeetingStatus = (typeof TRIGGERING_MEETING_STATUSES)[number]

/** What started the execution: the scheduler, a request, or an event of the task's trigger. */
export const TRIGGER_TYPES = ['scheduled', 'manual', ...TRIGGER_EVENTS] as const
export type TriggerType = (typeof TRIGGER_TYPES)[number]

/**
 * Why a due time started no execution. `overlap`: the previous execution was still running. `owner_removed`: the user
 * with whose rights the task ran was removed, which disabled the task.
 */
export const SKIP_REASONS = ['overlap', 'missed', 'budget', 'owner_removed'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export const TASK_TIMEOUT_LIMITS_MS = { default: 300_000, min: 1_000, max: 3_600_000 }

export const TASK_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const TASK_NAME_RULE_TEXT =
  'Must have 1 to 64 letters, digits, dots, hyphens or underscores and begin with a letter or digit'

export function isTaskName(name: string): boolean {
  return TASK_NAME_PATTERN.test(name)
}

export type Task = {
  id: string
  name: string
  promptName: string
  cronExpression: string | null
  trigger: TaskTrigger | null
  timezone: string
  enabled: boolean
  timeoutMs: number
  /** The user with whose rights the task runs; null for the instance. */
  ownerId: string | null
  /** Null for the instance, or if the owner was removed. */
  ownerName: string | null
  /** The project whose readers see the task; null if all users see it. */
  project: string | null
  /** The only projects that the task may use, because a token limited to them created it. Null means no limit. */
  projects: string[] | null
  nextRunAt: Date | null
  lastRunAt: Date | null
  lastStatus: ExecutionStatus | null
  /** True if the newest execution was cancelled; null before the first one. */
  wasLastCancelled: boolean | null
  lastSkippedAt: Date | null
  lastSkipReason: SkipReason | null
  createdAt: Date
  updatedAt: Date
}

/** A task whose owner was removed does not run until an editor takes it over. */
export function isOwnerRemoved({
  ownerId,
  ownerName,
}: Pick<Task, 'ownerId' | 'ownerName'>): boolean {
  return ownerId !== null && ownerName === null
}

/** The fields that determine which projects a task uses. */
export type TaskRights = Pick<Task, 'ownerId' | 'project' | 'projects'>

/** A task uses team projects and its own project. */
export function toTaskViewer({ ownerId, project, projects }: TaskRights): TaskViewer {
  return { kind: 'task', ownerId, project, projects }
}

export type Execution = {
  id: string
  taskName: string
  executionType: ExecutedTaskKind
  triggerType: TriggerType
  status: ExecutionStatus
  /** Someone cancelled it. The status is then `failed`. */
  isCancelled: boolean
  startedAt: Date
  completedAt: Date | null
  scheduledFor: Date | null
  /** The meeting or document of the execution; null if there is none. */
  triggeredBy: TriggerSource | null
  missed: number
  attempts: number
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** True if the provider did not report all token counts. */
  usageMissing: boolean
  /** The missing counts are estimated. False for executions of earlier versions, which counted them as 0. */
  tokensEstimated: boolean
  costUsd: number | null
  model: string | null
  promptHash: string | null
  resultSummary: string | null
  /** Why the model's answer is incomplete; null if it is complete. */
  truncatedBy: TruncationReason | null
  documentPath: string | null
}
