import { Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import type { ApiFullExecution } from '../../../src/http/shapes/tasks.ts'
import { clearCachedUserData } from '../../api/app-state.tsx'
import { createEventStream } from '../../api/event-stream.ts'
import { isRunQueued, isRunWithBuiltinRules } from '../task-labels.ts'
import { LoadingIndicator } from '../../ui/feedback/feedback.tsx'

const Markdown = lazy(async () => ({
  default: (await import('../../ui/markdown/markdown.tsx')).Markdown,
}))

/** The output of a run, streamed while it runs. The page does not scroll as output arrives. */
export function RunOutput({ execution }: { execution: ApiFullExecution }) {
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
