import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { WireFullExecution } from '../../../src/http/shapes/tasks.ts'
import { clearCachedUserData } from '../../api/app-state.tsx'
import { createEventStream } from '../../api/event-stream.ts'

/** A message of the output stream: new text, the final status, or an empty object to discard the output so far. */
type OutputMessage = { text: string } | { status: string } | Record<string, never>

/** Limits how often the page renders while a model streams its output. */
const RENDER_INTERVAL_MS = 200

/** The output of an execution: streamed while it runs, then as stored. */
export function useRunOutput(execution: WireFullExecution): string {
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
