import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { forgetUser, useApi } from '../app-state.tsx'
import { createLive, type LiveState } from '../live/connection.ts'
import { INBOX } from '../meetings/start.ts'

/** One callback as a receiver sees it. */
export type Received = {
  deliveryId: string
  headers: Record<string, string>
  body: string
  /** It was sent to this inbox; otherwise it is a copy of what another receiver gets. */
  isAnswerWanted: boolean
}

const KEEP = 200

type Inbox = { received: Received[]; state: LiveState; error: unknown }

/** Listens like `hansard listen`, and answers like a receiver: what waits for the inbox is really delivered to it. */
export function useInbox(status: number): Inbox {
  const api = useApi()
  const queries = useQueryClient()
  const [received, setReceived] = useState<Received[]>([])
  const [state, setState] = useState<LiveState>('connecting')

  const [error, setError] = useState<unknown>(null)

  const take = useEffectEvent((message: Received | { name: string }) => {
    if (!('deliveryId' in message)) return
    setReceived((known) => [message, ...known].slice(0, KEEP))
    if (!message.isAnswerWanted) return
    const { deliveryId } = message
    const answer = { deliveryId, status, error: null, answer: 'From the inbox', durationMs: 0 }
    // Unanswered, the callback counts as timed out and comes again: nothing is lost by a failure here.
    api.post(`/web/listeners/${INBOX}/answers`, answer).then(
      () => setError(null),
      (problem: unknown) => setError(problem),
    )
  })
  useEffect(() => {
    const live = createLive<Received | { name: string }>({
      path: `/web/listeners/${INBOX}/stream`,
      onSignedOut: () => forgetUser(queries),
    })
    live.onState(() => setState(live.state()))
    live.onEvent((message) => take(message))
    return live.start()
  }, [queries])
  return { received, state, error }
}
