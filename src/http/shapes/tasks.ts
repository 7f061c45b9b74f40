import { z } from 'zod'
import { PLATFORM_NAMES } from '../../bots/platforms/platform.ts'
import { BRIEF_MINUTES } from '../../brief/brief-values.ts'
import { explainBadName } from '../../lib/text/bad-names.ts'
import { MEETING_PLATFORMS } from '../../meetings/meeting-platforms.ts'
import { isProjectId } from '../../projects/files/file-names.ts'
import { MAX_TASKS_PER_QUERY } from '../../tasks/executions/execution-reads.ts'
import {
  isPromptName,
  MAX_PROMPT_NAME_LENGTH,
  PROMPT_NAME_PATTERN,
} from '../../tasks/prompts/prompt-name.ts'
import { OUTPUT_POSITION_PATTERN } from '../../tasks/running/live-output.ts'
import {
  EXECUTION_STATUSES,
  EXECUTED_TASK_KINDS,
  SKIP_REASONS,
  TASK_NAME_PATTERN,
  TASK_TIMEOUT_LIMITS_MS,
  TRIGGER_TYPES,
  TRIGGERING_MEETING_STATUSES,
  TRUNCATION_REASONS,
} from '../../tasks/task.ts'
import {
  Count,
  DocumentPath,
  ExecutionId,
  Instant,
  MeetingId,
  Ordinal,
  ProjectId,
  RequestWarnings,
  NullableText,
} from './common.ts'
import { createIntegerParameterSchema, PageSizeParameter } from './query-parameters.ts'

const status = z.enum(EXECUTION_STATUSES)
const taskName = z
  .string()
  .regex(TASK_NAME_PATTERN, { error: ({ input }) => explainBadName('task', String(input)) })
const promptName = z
  .string()
  .refine(isPromptName, { error: ({ input }) => explainBadName('prompt', String(input)) })
  .meta({ pattern: PROMPT_NAME_PATTERN.source, maxLength: MAX_PROMPT_NAME_LENGTH })
const timeout = z.int().min(TASK_TIMEOUT_LIMITS_MS.min).max(TASK_TIMEOUT_LIMITS_MS.max)
const projectIds = z
  .array(
    z
      .string()
      .refine(isProjectId, { error: ({ input }) => explainBadName('project', String(input)) }),
  )
  .min(1)
  .max(100)
  .optional()
  .describe('Only in these projects')
const pattern = z.string().min(1).max(200)

const MeetingEndedTrigger = z
  .object({
    on: z.literal('meeting_ended'),
    projects: projectIds,
    platforms: z
      .array(z.enum(MEETING_PLATFORMS))
      .min(1)
      .optional()
      .describe('Only on these platforms'),
    titlePattern: pattern
      .optional()
      .describe('Part of the title; with `*`, which stands for any text, the whole title'),
    minWords: z.int().min(0).max(1_000_000).optional().describe('Words of the transcript'),
    minMinutes: z
      .number()
      .min(0)
      .max(10_000)
      .optional()
      .describe('Minutes from joining the call to its end'),
    statuses: z
      .array(z.enum(TRIGGERING_MEETING_STATUSES))
      .min(1)
      .optional()
      .describe('Default ended; error is the status of a failed meeting'),
  })
  .meta({
    id: 'MeetingEndedTrigger',
    examples: [{ on: 'meeting_ended', projects: ['sales'], minWords: 50 }],
  })
const DocumentSavedTrigger = z
  .object({
    on: z.literal('document_saved'),
    projects: projectIds,
    pathPattern: pattern
      .optional()
      .describe('Part of the path in the project; with `*`, which stands for any text, all of it'),
  })
  .meta({
    id: 'DocumentSavedTrigger',
    examples: [{ on: 'document_saved', pathPattern: 'contracts/*.md' }],
  })
const BeforeMeetingTrigger = z
  .object({
    on: z.literal('before_meeting'),
    minutes: z
      .int()
      .min(BRIEF_MINUTES.min)
      .max(BRIEF_MINUTES.max)
      .optional()
      .describe(`Minutes before the start; default ${BRIEF_MINUTES.default}`),
    projects: projectIds,
    platforms: z
      .array(z.enum(PLATFORM_NAMES))
      .min(1)
      .optional()
      .describe('Only on these platforms'),
    titlePattern: pattern
      .optional()
      .describe('Part of the title; with `*`, which stands for any text, the whole title'),
  })
  .meta({
    id: 'BeforeMeetingTrigger',
    examples: [{ on: 'before_meeting', minutes: 30, titlePattern: 'Weekly*' }],
  })
/** What starts a task besides its schedule. Every condition that is set must be true. */
const TaskTrigger = z.discriminatedUnion('on', [
  MeetingEndedTrigger,
  DocumentSavedTrigger,
  BeforeMeetingTrigger,
])

/** A read-only field of a task. A client may send it back when it updates the task, and the service ignores it. */
const ignoredField = z.unknown().optional().describe('Cannot be changed; ignored')

export const CreateTaskBody = z
  .object({
    name: taskName.describe('Unique; used in paths'),
    promptName: promptName.describe('A file in scheduled-prompts, without .md'),
    cronExpression: NullableText.optional().describe(
      'Five fields: minute hour day-of-month month day-of-week; without it the task runs only on demand',
    ),
    trigger: TaskTrigger.nullable()
      .optional()
      .describe('Starts the task when a meeting ends or will start, or when a document is saved'),
    timezone: z
      .string()
      .meta({ default: 'UTC' })
      .optional()
      .describe('IANA time zone of the schedule'),
    enabled: z
      .boolean()
      .meta({ default: true })
      .optional()
      .describe('Whether the schedule and the trigger are active'),
    timeout: timeout
      .meta({ default: TASK_TIMEOUT_LIMITS_MS.default })
      .optional()
      .describe('Milliseconds'),
    project: ProjectId.optional().describe(
      'Project whose readers see the task and its results; without it all users do, and it reads team projects only',
    ),
  })
  .meta({
    examples: [
      {
        name: 'weekly-report',
        promptName: 'weekly-report',
        cronExpression: '0 9 * * 1',
        timezone: 'Europe/Zurich',
      },
    ],
  })

/** A client may send back a whole task as it read it. Fields that can't be changed are ignored. */
export const UpdateTaskBody = z
  .object({
    promptName: promptName.optional().describe('A file in scheduled-prompts, without .md'),
    cronExpression: NullableText.optional().describe('Null or empty removes the schedule'),
    trigger: TaskTrigger.nullable().optional().describe('Null removes the trigger'),
    timezone: z.string().optional().describe('IANA time zone of the schedule'),
    enabled: z.boolean().optional().describe('Whether the schedule and the trigger are active'),
    timeout: timeout.optional().describe('Milliseconds'),
    timeoutMs: timeout.optional().describe('The same as timeout'),
    name: z.string().optional().describe('Cannot be changed'),
    lastRunAt: ignoredField,
    lastStatus: ignoredField,
    lastCancelled: ignoredField,
    nextRunAt: ignoredField,
    isScheduled: ignoredField,
    createdAt: ignoredField,
    updatedAt: ignoredField,
    lastSkippedAt: ignoredField,
    lastSkipReason: ignoredField,
    project: ignoredField,
    owner: ignoredField,
    canRun: ignoredField,
  })
  .meta({ examples: [{ enabled: true, timeout: 600_000 }] })

export const Task = z
  .object({
    name: z.string(),
    promptName: z.string(),
    cronExpression: z.string().optional().describe('Absent when the task has no schedule'),
    trigger: TaskTrigger.optional().describe('Absent when no event starts the task'),
    timezone: z.string().describe('IANA time zone of the schedule'),
    project: z.string().optional().describe('Absent when all users see the task'),
    owner: z
      .object({
        id: z.string().meta({ examples: ['usr_4fJq0Zb1y9nB4Q2wKxT5'] }),
        name: z.string().meta({ examples: ['Ada'] }),
      })
      .nullable()
      .describe('User with whose rights it runs; null for the instance or a removed user'),
    canRun: z.boolean().describe('False after its owner was removed, until someone takes it over'),
    enabled: z.boolean().describe('Whether the schedule and the trigger are active'),
    timeoutMs: Count,
    lastRunAt: Instant.optional(),
    lastStatus: status.optional().describe('Status of the last execution'),
    lastCancelled: z
      .boolean()
      .optional()
      .describe('True when the last execution was cancelled; its status is failed'),
    nextRunAt: Instant.optional().describe('When it next runs by its schedule'),
    isScheduled: z.boolean().describe('Whether it has a schedule'),
    createdAt: Instant,
    updatedAt: Instant,
    lastSkippedAt: Instant.optional().describe('When a scheduled run was last skipped'),
    lastSkipReason: z.enum(SKIP_REASONS).optional(),
  })
  .meta({ id: 'Task' })

const execution = z.object({
  executionId: ExecutionId,
  executionType: z.enum(EXECUTED_TASK_KINDS),
  name: z.string().describe('Name of the task'),
  status,
  cancelled: z
    .boolean()
    .optional()
    .describe('True when someone cancelled it; its status is failed'),
  triggerType: z.enum(TRIGGER_TYPES),
  startedAt: Instant,
  completedAt: Instant.optional(),
  durationMs: Count.optional(),
  inputTokens: Count.describe(
    'As counted by the provider, including cached tokens; see tokensEstimated',
  ),
  outputTokens: Count,
  cachedInputTokens: Count.optional().describe('Part of inputTokens'),
  usageMissing: z.boolean().optional().describe('The provider did not report all token counts'),
  tokensEstimated: z
    .boolean()
    .optional()
    .describe('Counts that the provider did not report are estimated from the length of the texts'),
  costUsd: z.number().min(0).optional().describe('Absent when the price of the model is unknown'),
  model: z
    .string()
    .optional()
    .describe('Language model, or the built-in rules; absent before one was chosen'),
  scheduledFor: Instant.optional().describe('The due time of a scheduled run'),
  triggeredBy: z
    .object({
      meetingId: MeetingId.optional(),
      upcomingId: z.string().optional().describe('A meeting that had not begun'),
      documentPath: DocumentPath.optional(),
    })
    .optional()
    .describe('The meeting or the document that it is about'),
  missed: Count.optional().describe(
    'How many earlier scheduled runs were missed and are covered by this execution',
  ),
  attempts: Count.optional().describe(
    'How many times the model was asked; more than one after errors',
  ),
  documentPath: DocumentPath.optional().describe('The saved result'),
  truncatedBy: z
    .enum(TRUNCATION_REASONS)
    .optional()
    .describe('Why the answer of the model is incomplete; absent when it is complete'),
  promptHash: z.string().optional().describe('SHA-256 of the prompt file'),
})

export const Execution = execution.meta({ id: 'Execution' })
export const ExecutionWithSummary = execution
  .extend({ resultSummary: z.string().optional().describe('Short result, or why it failed') })
  .meta({ id: 'PastExecution' })
export const FullExecution = execution
  .extend({
    resultSummary: z.string().optional().describe('Short result, or why it failed'),
    prompt: z.string().optional().describe('The prompt with its variables filled in'),
    output: z.string().describe('The whole output'),
    requestedAt: Instant.describe('When it was requested; startedAt is when a node started it'),
    previousExecutionId: ExecutionId.optional().describe('The previous execution of the same task'),
    nextExecutionId: ExecutionId.optional().describe('The next execution of the same task'),
  })
  .meta({ id: 'FullExecution' })

export const TaskNameParams = z.object({
  name: z.string().min(1).max(200).describe('Name of the task'),
})

export const TasksQuery = z.object({
  scheduled: z
    .enum(['true', 'false'])
    .optional()
    .describe('Only tasks with a schedule, or only those without'),
})
export const TasksResponse = z.object({ tasks: z.array(Task) })
export const TaskResponse = z.object({ task: Task, warnings: RequestWarnings })
export const TaskDetailResponse = z.object({ task: Task, recentExecutions: z.array(Execution) })
export const TaskActionResponse = z.object({ success: z.literal(true), message: z.string() })
export const ChangedTaskResponse = TaskActionResponse.extend({ task: Task })
export const RunTaskResponse = TaskActionResponse.extend({
  taskName: z.string(),
  executionId: ExecutionId,
})
export const CancelExecutionResponse = TaskActionResponse.extend({
  execution: ExecutionWithSummary,
})
export const ExecutionResponse = z.object({ execution: FullExecution })

export const TaskHistoryQuery = z.object({
  limit: PageSizeParameter,
  offset: createIntegerParameterSchema(0).optional().describe('How many to skip'),
})
export const TaskHistoryResponse = z.object({
  executions: z.array(ExecutionWithSummary),
  total: Count.describe('How many executions the task has'),
  limit: Ordinal,
  offset: Count,
})

export const ExecutionStreamQuery = z.object({
  after: z
    .string()
    .regex(OUTPUT_POSITION_PATTERN, 'Must be the id of an event of this stream')
    .optional()
    .describe('Id of the last received event, or a number of characters to skip'),
})

export const PromptsResponse = z.object({
  prompts: z.array(
    z
      .object({
        name: z.string().describe('The value of `promptName` in requests'),
        description: z.string().optional(),
        model: z.string().optional().describe('Language model; absent for the default one'),
        builtin: z.string().optional().describe('Built-in rules that run instead of a model'),
        project: z.string().optional().describe('Project that receives the results'),
        problems: z
          .array(z.object({ path: z.string(), message: z.string() }))
          .describe('Why the prompt cannot run; empty when it can'),
      })
      .meta({ id: 'Prompt' }),
  ),
})

/** `of` lists task names, separated by commas, which no task name contains. */
export const RecentExecutionsQuery = z.object({
  of: z
    .string()
    .transform((names) => names.split(','))
    .pipe(z.array(taskName).max(MAX_TASKS_PER_QUERY)),
})
export const RecentExecutionsResponse = z.object({
  figures: z.array(
    z.object({
      name: z.string(),
      /** The most recent executions of the task, oldest first. */
      recent: z.array(
        z.object({
          status,
          isCancelled: z.boolean(),
          durationMs: Count.nullable(),
          inputTokens: Count,
          outputTokens: Count,
        }),
      ),
    }),
  ),
})

export type ApiTaskTrigger = z.input<typeof TaskTrigger>
export type ApiTask = z.input<typeof Task>
export type ApiExecutionWithSummary = z.input<typeof ExecutionWithSummary>
export type ApiFullExecution = z.input<typeof FullExecution>
export type ApiPrompt = z.input<typeof PromptsResponse>['prompts'][number]
export type ApiRecentExecutions = z.input<typeof RecentExecutionsResponse>['figures'][number]
