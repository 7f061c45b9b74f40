import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { clearUser, useApi } from '../../api/app-state.tsx'
import { createEventStream, type StreamState } from '../../api/event-stream.ts'
import { INBOX_LISTENER } from '../../meetings/use-start-meeting.ts'

/** One callback as a receiver sees it. */
export type ReceivedCallback = {
  deliveryId: string
  headers: Record<string, string>
  body: string
  /** It was sent to this inbox; otherwise it is a copy of what another receiver gets. */
  isAnswerWanted: boolean
}

const MAX_RECEIVED = 200

type Inbox = { received: ReceivedCallback[]; state: StreamState; error: unknown }

/** Listens like `hansard listen`, and answers like a receiver: what waits for the inbox is really delivered to it. */
export function useInbox(status: number): Inbox {
  const api = useApi()
  const queries = useQueryClient()
  const [received, setReceived] = useState<ReceivedCallback[]>([])
  const [state, setState] = useState<StreamState>('connecting')

  const [error, setError] = useState<unknown>(null)

  const take = useEffectEvent((message: ReceivedCallback | { name: string }) => {
    if (!('deliveryId' in message)) return
    setReceived((known) => [message, ...known].slice(0, MAX_RECEIVED))
    if (!message.isAnswerWanted) return
    const { deliveryId } = message
    const answer = { deliveryId, status, error: null, answer: 'From the inbox', durationMs: 0 }
    // Unanswered, the callback counts as timed out and comes again: nothing is lost by a failure here.
    api.post(`/web/listeners/${INBOX_LISTENER}/answers`, answer).then(
      () => setError(null),
      (problem: unknown) => setError(problem),
    )
  })
  useEffect(() => {
    const live = createEventStream<ReceivedCallback | { name: string }>({
      path: `/web/listeners/${INBOX_LISTENER}/stream`,
      onSignedOut: () => clearUser(queries),
    })
    live.onState(() => setState(live.state()))
    live.onEvent((message) => take(message))
    return live.start()
  }, [queries])
  return { received, state, error }
}
