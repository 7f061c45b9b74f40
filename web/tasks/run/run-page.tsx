import '../tasks.css'
import { Code, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ApiFullExecution, ApiExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { usePromptsWithoutModel, ModelHelp } from '../model-needed.tsx'
import { useExecution, useTask } from '../queries.ts'
import { chooseFailureHint, isModelMissing } from './failure-hints.ts'
import { RunDetails } from './run-details.tsx'
import { RunHeader } from './run-header.tsx'
import { RunOutput } from './run-output.tsx'
import { RunTimeline } from './run-timeline.tsx'
import { TRUNCATION_LABELS } from '../task-labels.ts'
import { LoadFailedHeader } from '../task/load-failed-header.tsx'
import { NotFoundNotice, QueryView } from '../../ui/feedback/feedback.tsx'
import { ButtonLink } from '../../ui/links.tsx'

const route = getRouteApi('/signed-in/runs/$executionId')

export function RunPage() {
  const { executionId } = route.useParams()
  const query = useExecution(executionId)
  return (
    <Stack key={executionId} gap="md">
      <QueryView
        query={query}
        label="the run"
        fallbackHeader={<LoadFailedHeader title="Run" />}
        notFound={
          <NotFoundNotice what="Run">
            <ButtonLink to="/tasks">Go to tasks</ButtonLink>
          </NotFoundNotice>
        }
      >
        {({ execution }) => <RunContent execution={execution} />}
      </QueryView>
    </Stack>
  )
}

function RunContent({ execution }: { execution: ApiFullExecution }) {
  const { data } = useTask(execution.name)
  const needsModel = usePromptsWithoutModel().has(data?.task.promptName ?? '')
  return (
    <Stack gap="lg" maw={1200}>
      <RunHeader execution={execution} needsModel={needsModel} />
      <RunFailureNotice execution={execution} needsModel={needsModel} />
      <RunTruncationNotice execution={execution} />
      <div className="run-columns">
        <Stack gap="md" miw={0}>
          <RunOutput execution={execution} />
          {execution.prompt !== undefined && <SentPrompt text={execution.prompt} />}
        </Stack>
        <Stack gap="lg" miw={0}>
          <RunTimeline execution={execution} timeoutMs={data?.task.timeoutMs} />
          <RunDetails execution={execution} task={data?.task} />
        </Stack>
      </div>
    </Stack>
  )
}

/** Shows the prompt as plain text, because it contains untrusted meeting text. */
function SentPrompt({ text }: { text: string }) {
  return (
    <details className="callback">
      <summary>Prompt as sent</summary>
      <Code block className="wrap-code" mt="xs" dir="auto">
        {text}
      </Code>
    </details>
  )
}

/** Says that the model's answer is incomplete, why, and what the user can do. */
function RunTruncationNotice({ execution }: { execution: ApiExecutionWithSummary }) {
  if (execution.truncatedBy === undefined) return null
  const { reason, nextStep } = TRUNCATION_LABELS[execution.truncatedBy]
  return (
    <div className="notice" role="note">
      <Stack gap={4}>
        <Text fw={650}>This answer is incomplete. {reason}</Text>
        <Text size="sm">{nextStep}</Text>
      </Stack>
    </div>
  )
}

interface RunFailureNoticeProps {
  execution: ApiExecutionWithSummary
  /** True if the prompt still has no language model. One may have been set up since the run. */
  needsModel: boolean
}

/** Says why a run did not complete, and what the user can do. */
function RunFailureNotice({ execution, needsModel }: RunFailureNoticeProps) {
  const { status, cancelled = false, resultSummary } = execution
  if (status === 'running' || status === 'completed') return null
  if (isModelMissing(execution)) return <ModelMissing needsModel={needsModel} />
  return (
    <Notice
      isError={status === 'failed' && !cancelled}
      title={
        cancelled ? 'This run was canceled.' : (resultSummary ?? 'The run ended without a reason.')
      }
    >
      {chooseFailureHint(execution)}
    </Notice>
  )
}

function ModelMissing({ needsModel }: { needsModel: boolean }) {
  return needsModel ? (
    <Notice isError title="This task needs a language model, and none is set up for it.">
      <ModelHelp />
    </Notice>
  ) : (
    <Notice isError title="This task needs a language model, and none was set up for it.">
      There is one now. Run it again.
    </Notice>
  )
}

interface NoticeProps {
  isError: boolean
  title: string
  children: ReactNode
}

function Notice({ isError, title, children }: NoticeProps) {
  return (
    <div className={isError ? 'notice notice-error' : 'notice'} role="note">
      <Stack gap={4}>
        <Text fw={650} className="break-anywhere" dir="auto">
          {title}
        </Text>
        <Text size="sm">{children}</Text>
      </Stack>
    </div>
  )
}
