import { Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useDeferredValue } from 'react'
import type { WireFullExecution } from '../../../src/http/shapes/tasks.ts'
import { isRunQueued, isRunWithBuiltinRules } from '../task-labels.ts'
import { LoadingIndicator } from '../../ui/feedback/loading-indicator.tsx'
import { useRunOutput } from './use-run-output.ts'

const Markdown = lazy(async () => ({
  default: (await import('../../ui/markdown/markdown.tsx')).Markdown,
}))

/** The output of a run, streamed while it runs. The page does not scroll as output arrives. */
export function RunOutput({ execution }: { execution: WireFullExecution }) {
  const text = useDeferredValue(useRunOutput(execution))
  const isRunning = execution.status === 'running'
  const isEmpty = text.trim() === ''
  // The notice above says why there is none.
  if (isEmpty && !isRunning && execution.status !== 'completed') return null
  return (
    <Stack gap="xs" component="section" aria-labelledby="output" miw={0}>
      <Title order={2} id="output">
        Output
      </Title>
      {isRunWithBuiltinRules(execution) && (
        <Text size="sm" c="dimmed">
          Created with built-in rules, without a language model.
        </Text>
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
    </Stack>
  )
}

function emptyOutputText(execution: WireFullExecution): string {
  if (isRunQueued(execution)) return 'Queued. Other runs are in progress.'
  return execution.status === 'running' ? 'No output yet.' : 'The run ended without output.'
}
