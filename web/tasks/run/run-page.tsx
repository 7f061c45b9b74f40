import '../tasks.css'
import { Code, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { WireFullExecution } from '../../../src/http/shapes/tasks.ts'
import { RunDetails } from './run-details.tsx'
import { RunHeader } from './run-header.tsx'
import { RunOutput } from './run-output.tsx'
import { RunTimeline } from './run-timeline.tsx'
import { RunFailureNotice } from './run-failure-notice.tsx'
import { RunTruncationNotice } from './run-truncation-notice.tsx'
import { LoadFailedHeader } from '../task/load-failed-header.tsx'
import { usePromptsWithoutModel } from '../model-needed.tsx'
import { useExecution, useTask } from '../queries.ts'
import { NotFoundNotice } from '../../ui/feedback/not-found-notice.tsx'
import { QueryView } from '../../ui/feedback/query-view.tsx'
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

function RunContent({ execution }: { execution: WireFullExecution }) {
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
