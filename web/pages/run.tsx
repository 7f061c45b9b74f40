import '../tasks/tasks.css'
import { Code, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { WireFullExecution } from '../../src/http/shapes/tasks.ts'
import { Facts } from '../run/facts.tsx'
import { RunHead } from '../run/head.tsx'
import { Output } from '../run/output.tsx'
import { Timeline } from '../run/timeline.tsx'
import { WhyBox } from '../run/why-box.tsx'
import { NotThere } from '../tasks/not-there.tsx'
import { useExecution, useTask } from '../tasks/queries.ts'
import { Loaded } from '../ui/loaded.tsx'

const route = getRouteApi('/inside/runs/$executionId')

export function RunPage() {
  const { executionId } = route.useParams()
  const query = useExecution(executionId)
  return (
    <Stack key={executionId} gap="md">
      <Loaded query={query} what="the run" head={<NotThere title="Run" />}>
        {({ execution }) => <Shown execution={execution} />}
      </Loaded>
    </Stack>
  )
}

function Shown({ execution }: { execution: WireFullExecution }) {
  const { data } = useTask(execution.name)
  return (
    <Stack gap="lg" maw={1200}>
      <RunHead execution={execution} />
      <WhyBox execution={execution} />
      <div className="run-columns">
        <Stack gap="md" miw={0}>
          <Output execution={execution} />
          {execution.prompt !== undefined && <SentPrompt text={execution.prompt} />}
        </Stack>
        <Stack gap="lg" miw={0}>
          <Timeline execution={execution} timeoutMs={data?.task.timeoutMs} />
          <Facts execution={execution} task={data?.task} />
        </Stack>
      </div>
    </Stack>
  )
}

/** As text: it may hold what strangers said. */
function SentPrompt({ text }: { text: string }) {
  return (
    <details className="callback">
      <summary>The prompt as it was sent</summary>
      <Code block className="wrap-code" mt="xs" dir="auto">
        {text}
      </Code>
    </details>
  )
}
