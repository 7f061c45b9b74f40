import { Stack, Group, Text, Code, Anchor, Progress } from '@mantine/core'
import type { ApiFullExecution, ApiTask } from '../../../src/http/shapes/tasks.ts'
import {
  formatRunCost,
  RUN_TRIGGER_LABELS,
  isRunWithBuiltinRules,
  formatDuration,
  isRunQueued,
  labelRun,
} from '../task-labels.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { savedDocumentPathToLink } from '../../projects/document-ref.ts'
import { TextLink, meetingPage } from '../../ui/links.tsx'
import { type DescriptionItem, DescriptionList, Section } from '../../ui/layout.tsx'
import { formatSecondsAsClock } from '../../ui/format/format-text.ts'
import { TimeOfDay, useNowEverySecond } from '../../ui/format/time.tsx'

type RunDetailsProps = { execution: ApiFullExecution; task: ApiTask | undefined }

/** Trigger, model, tokens, cost, prompt version and document of a run. */
export function RunDetails({ execution, task }: RunDetailsProps) {
  const { executionId } = execution
  return (
    <Section id="details" title="Details" gap="md">
      <DescriptionList facts={toDetailItems(execution, task)} />
      <Group gap="xs">
        <CopyButton text={executionId} what="ID" showsLabel />
        <CopyButton
          text={`curl -H "X-API-Key: $HANSARD_API_KEY" ${window.location.origin}/api/v1/executions/${executionId}`}
          what="as curl"
          showsLabel
        />
      </Group>
    </Section>
  )
}

function toDetailItems(execution: ApiFullExecution, task: ApiTask | undefined): DescriptionItem[] {
  const { triggerType, missed, model, attempts = 1, documentPath, status } = execution
  const isRunning = status === 'running'
  return [
    [
      'Trigger',
      `${RUN_TRIGGER_LABELS[triggerType]}${missed ? `, ${missed} missed runs before` : ''}`,
    ],
    ...toSubjectItems(execution),
    ['Model', model ?? '–'],
    ...toTokenItems(execution),
    ['Cost', isRunning ? 'available when the run ends' : formatRunCost(execution)],
    ['Prompt', <PromptVersion key="prompt" execution={execution} task={task} />],
    ...(attempts > 1 ? [['Attempts', attempts] satisfies DescriptionItem] : []),
    [
      'Document',
      documentPath === undefined ? (
        <>{isRunning ? 'saved when the run ends' : 'none'}</>
      ) : (
        <DocumentLink key="document" documentPath={documentPath} />
      ),
    ],
  ]
}

/** The meeting or document that the run is about. */
function toSubjectItems({ triggeredBy = {} }: ApiFullExecution): DescriptionItem[] {
  const { meetingId, upcomingId, documentPath } = triggeredBy
  if (upcomingId !== undefined)
    return [
      [
        'Meeting',
        <TextLink key="upcoming" to="/upcoming">
          Upcoming meeting
        </TextLink>,
      ],
    ]
  if (meetingId !== undefined)
    return [
      [
        'Meeting',
        <TextLink key="meeting" {...meetingPage(meetingId)}>
          {meetingId}
        </TextLink>,
      ],
    ]
  if (documentPath === undefined) return []
  return [['About', <DocumentLink key="about" documentPath={documentPath} />]]
}

function toTokenItems(execution: ApiFullExecution): DescriptionItem[] {
  const { inputTokens, cachedInputTokens, outputTokens, model } = execution
  const { usageMissing, tokensEstimated } = execution
  if (execution.status === 'running') return [['Tokens', 'available when the run ends']]
  if (isRunWithBuiltinRules(execution)) return [['Tokens', 'none, no language model was used']]
  if (model === undefined) return [['Tokens', 'none']]
  if (usageMissing && !tokensEstimated) return [['Tokens', 'not reported by the provider']]
  // The run ended before the model was asked.
  if (inputTokens + outputTokens === 0) return [['Tokens', 'none']]
  const cached =
    cachedInputTokens === undefined ? '' : ` (${cachedInputTokens.toLocaleString('en')} cached)`
  const estimated = tokensEstimated ? ', estimated' : ''
  return [
    ['Input tokens', `${inputTokens.toLocaleString('en')}${cached}${estimated}`],
    ['Output tokens', `${outputTokens.toLocaleString('en')}${estimated}`],
  ]
}

/** The prompt's file name and the first seven characters of its hash. */
function PromptVersion({ execution: { promptHash, startedAt }, task }: RunDetailsProps) {
  const isUnchanged = task !== undefined && task.updatedAt <= startedAt
  return (
    <>
      {task && (isUnchanged ? `${task.promptName}.md` : `now ${task.promptName}.md`)}
      {promptHash !== undefined && (
        <>
          {' '}
          version <Code title={promptHash}>{promptHash.slice(0, 7)}</Code>
        </>
      )}
    </>
  )
}

function DocumentLink({ documentPath }: { documentPath: string }) {
  const link = savedDocumentPathToLink(documentPath)
  if (link === null) return <>{documentPath}</>
  return (
    <Anchor href={link.href}>
      {link.project}/{link.path}
    </Anchor>
  )
}

/** `colour` is the colour of the run's final status. */
type TimelineStep = { label: string; at: string; colour?: string }

/** The steps of a run from its due time to its end, with the time between them. */
export function RunTimeline({ execution, timeoutMs }: RunTimelineProps) {
  const steps = toTimelineSteps(execution)
  return (
    <Section id="timeline" title="Timeline">
      <ol className="plain-list run-steps">
        {steps.map(({ label, at, colour = 'gray' }, i) => {
          const before = steps[i - 1]
          return (
            <li key={label} className={`run-step-${colour}`}>
              <TimeOfDay at={at} /> {label}
              {before && (
                <Text span size="sm" c="dimmed" className="figures">
                  , {formatDuration(Math.max(0, Date.parse(at) - Date.parse(before.at)))} later
                </Text>
              )}
            </li>
          )
        })}
      </ol>
      {execution.status === 'running' && !isRunQueued(execution) && timeoutMs !== undefined && (
        <TimeoutProgress startedAt={execution.startedAt} timeoutMs={timeoutMs} />
      )}
    </Section>
  )
}

interface RunTimelineProps {
  execution: ApiFullExecution
  timeoutMs: number | undefined
}

function toTimelineSteps(execution: ApiFullExecution): TimelineStep[] {
  const { scheduledFor, requestedAt, startedAt, completedAt } = execution
  return [
    ...(scheduledFor === undefined ? [] : [{ label: 'Due', at: scheduledFor }]),
    { label: execution.triggerType === 'manual' ? 'Requested' : 'Queued', at: requestedAt },
    ...(isRunQueued(execution) ? [] : [{ label: 'Started', at: startedAt }]),
    ...(completedAt === undefined ? [] : [{ ...labelRun(execution), at: completedAt }]),
  ]
}

function TimeoutProgress({ startedAt, timeoutMs }: { startedAt: string; timeoutMs: number }) {
  const ms = Math.max(0, useNowEverySecond() - Date.parse(startedAt))
  return (
    <Stack gap={4}>
      <Progress
        value={Math.min(100, (ms / timeoutMs) * 100)}
        size="sm"
        aria-label="Elapsed share of the timeout"
      />
      <Text size="sm" className="figures">
        {formatSecondsAsClock(ms / 1000)} of {formatSecondsAsClock(timeoutMs / 1000)} (timeout)
      </Text>
    </Stack>
  )
}
