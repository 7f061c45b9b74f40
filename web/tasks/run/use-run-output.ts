import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { WireFullExecution } from '../../../src/http/shapes/tasks.ts'
import { clearUser } from '../../api/app-state.tsx'
import { createEventStream } from '../../api/event-stream.ts'

/** A piece of the answer; that it is void and begins anew; or that it is over. */
type OutputMessage = { text: string } | { status: string } | Record<string, never>

/** So often the page is drawn anew, however fast a model speaks. */
const RENDER_INTERVAL_MS = 200

/** What an execution has said: as stored when it is over, by its stream while it runs. */
export function useRunOutput(execution: WireFullExecution): string {
  const { executionId, output } = execution
  const isRunning = execution.status === 'running'
  const streamed = useOutputStream(executionId, isRunning)
  return isRunning && streamed.length > 0 ? streamed : output
}

function useOutputStream(executionId: string, isRunning: boolean): string {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const readAgain = useEffectEvent(() => {
    void queries.invalidateQueries({ queryKey: ['tasks'] })
  })
  useEffect(() => {
    if (!isRunning) return undefined
    let said = ''
    let timer: number | undefined
    const draw = () => {
      timer = undefined
      setText(said)
    }
    const live = createEventStream<OutputMessage>({
      path: `/web/executions/${encodeURIComponent(executionId)}/stream`,
      onSignedOut: () => clearUser(queries),
    })
    const stopListening = live.onEvent((message) => {
      if ('status' in message) return finish()
      // It has begun: its model and its prompt are known now.
      if (said === '') readAgain()
      said = 'text' in message ? said + message.text : ''
      timer ??= window.setTimeout(draw, RENDER_INTERVAL_MS)
    })
    const stop = live.start()
    function finish(): void {
      stop()
      readAgain()
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
