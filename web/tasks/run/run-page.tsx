import { getRouteApi } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import {
  type ReactNode,
  useState,
  useEffectEvent,
  useEffect,
  lazy,
  useDeferredValue,
  Suspense,
} from 'react'
import { Stack, Text, Code } from '@mantine/core'
import '../tasks.css'
import type { ApiFullExecution, ApiExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { usePromptsWithoutModel, ModelHelp } from '../model-needed.tsx'
import { useExecution, useTask } from '../queries.ts'
import { chooseFailureHint, isModelMissing } from './failure-hints.ts'
import { RunDetails, RunTimeline } from './run-details.tsx'
import { RunHeader } from './run-header.tsx'
import { TRUNCATION_LABELS, isRunQueued, isRunWithBuiltinRules } from '../task-labels.ts'
import { LoadFailedHeader } from '../task/load-failed-header.tsx'
import { NotFoundNotice, QueryView, LoadingIndicator } from '../../ui/feedback/feedback.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { clearCachedUserData } from '../../api/use-api.tsx'
import { createEventStream } from '../../api/event-stream.ts'
import { Hint } from '../../ui/text.tsx'
import { Section } from '../../ui/layout.tsx'

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

const Markdown = lazy(async () => ({
  default: (await import('../../ui/markdown/markdown.tsx')).Markdown,
}))

/** The output of a run, streamed while it runs. The page does not scroll as output arrives. */
function RunOutput({ execution }: { execution: ApiFullExecution }) {
  const text = useDeferredValue(useRunOutput(execution))
  const isRunning = execution.status === 'running'
  const isEmpty = text.trim() === ''
  // The notice above says why there is none.
  if (isEmpty && !isRunning && execution.status !== 'completed') return null
  return (
    <Section id="output" title="Output" gap="xs" miw={0}>
      {isRunWithBuiltinRules(execution) && (
        <Hint>Created with built-in rules, without a language model.</Hint>
      )}
      <div className="run-output" aria-busy={isRunning}>
        {isEmpty ? (
          <Text c="dimmed">{emptyOutputText(execution)}</Text>
        ) : (
          <Suspense fallback={<LoadingIndicator label="Preparing the output" />}>
            <Markdown text={text} />
          </Suspense>
        )}
        {isRunning && <span className="run-cursor" aria-hidden />}
      </div>
    </Section>
  )
}

function emptyOutputText(execution: ApiFullExecution): string {
  if (isRunQueued(execution)) return 'Queued. Other runs are in progress.'
  return execution.status === 'running' ? 'No output yet.' : 'The run ended without output.'
}

/** A message of the output stream: new text, the final status, or an empty object to discard the output so far. */
type OutputMessage = { text: string } | { status: string } | Record<string, never>

/** Limits how often the page renders while a model streams its output. */
const RENDER_INTERVAL_MS = 200

/** The output of an execution: streamed while it runs, then as stored. */
function useRunOutput(execution: ApiFullExecution): string {
  const { executionId, output } = execution
  const isRunning = execution.status === 'running'
  const streamed = useOutputStream(executionId, isRunning)
  return isRunning && streamed.length > 0 ? streamed : output
}

function useOutputStream(executionId: string, isRunning: boolean): string {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const refresh = useEffectEvent(() => {
    void queries.invalidateQueries({ queryKey: ['tasks'] })
  })
  useEffect(() => {
    if (!isRunning) return undefined
    let output = ''
    let timer: number | undefined
    const render = () => {
      timer = undefined
      setText(output)
    }
    const stream = createEventStream<OutputMessage>({
      path: `/web/executions/${encodeURIComponent(executionId)}/stream`,
      onSignedOut: () => clearCachedUserData(queries),
    })
    const stopListening = stream.onEvent((message) => {
      if ('status' in message) return finish()
      // The first output means that the run has started, so its model and prompt are now available.
      if (output === '') refresh()
      output = 'text' in message ? output + message.text : ''
      timer ??= window.setTimeout(render, RENDER_INTERVAL_MS)
    })
    const stop = stream.start()
    function finish(): void {
      stop()
      refresh()
    }
    return () => {
      window.clearTimeout(timer)
      stopListening()
      stop()
      setText('')
    }
  }, [executionId, isRunning, queries])
  return text
}
