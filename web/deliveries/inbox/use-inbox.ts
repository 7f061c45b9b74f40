import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { clearCachedUserData, useApi } from '../../api/app-state.tsx'
import { createEventStream, type EventStreamState } from '../../api/event-stream.ts'
import { INBOX_LISTENER_NAME } from '../../meetings/use-start-meeting.ts'

/** One callback with its headers, as a receiver gets it. */
export type ReceivedCallback = {
  deliveryId: string
  headers: Record<string, string>
  body: string
  /** True if the inbox is the receiver. False for a copy of another receiver's callback. */
  isAnswerWanted: boolean
}

const MAX_RECEIVED = 200

type Inbox = { received: ReceivedCallback[]; state: EventStreamState; error: unknown }

/** Receives callbacks through the listener stream and answers each with `status`, as a receiver would. */
export function useInboxReceiver(answerStatus: number): Inbox {
  const api = useApi()
  const queries = useQueryClient()
  const [received, setReceived] = useState<ReceivedCallback[]>([])
  const [state, setState] = useState<EventStreamState>('connecting')
  const [error, setError] = useState<unknown>(null)

  const receive = useEffectEvent((message: ReceivedCallback | { name: string }) => {
    if (!('deliveryId' in message)) return
    setReceived((earlier) => [message, ...earlier].slice(0, MAX_RECEIVED))
    if (!message.isAnswerWanted) return
    const { deliveryId } = message
    const answer = {
      deliveryId,
      status: answerStatus,
      error: null,
      answer: 'From the inbox',
      durationMs: 0,
    }
    // If the answer does not reach the service, the callback times out and is retried, so no event is lost.
    api.listeners.answers(INBOX_LISTENER_NAME, answer).then(
      () => setError(null),
      (problem: unknown) => setError(problem),
    )
  })
  useEffect(() => {
    const stream = createEventStream<ReceivedCallback | { name: string }>({
      path: `/web/listeners/${INBOX_LISTENER_NAME}/stream`,
      onSignedOut: () => clearCachedUserData(queries),
    })
    stream.onState(() => setState(stream.state()))
    stream.onEvent((message) => receive(message))
    return stream.start()
  }, [queries])
  return { received, state, error }
}
