import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { clearUser } from './app-state.tsx'
import {
  createEventStream,
  type EventStream,
  type StreamedEvent,
  type StreamState,
} from './event-stream.ts'

const EventStreamContext = createContext<EventStream<StreamedEvent> | null>(null)

/** Opens the tab's stream while somebody is signed in. What it brings makes lists and pages read anew. */
export function EventStreamProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [live] = useState(() =>
    createEventStream<StreamedEvent>({
      path: '/web/events/stream',
      onSignedOut: () => clearUser(queries),
    }),
  )
  useEffect(() => live.start(), [live])
  return <EventStreamContext value={live}>{children}</EventStreamContext>
}

export function useEventStream(): EventStream<StreamedEvent> {
  const live = use(EventStreamContext)
  if (!live) throw new Error('useLive needs a LiveProvider above it')
  return live
}

export function useStreamState(): StreamState {
  const live = useEventStream()
  return useSyncExternalStore(live.onState, live.state)
}

export function useMeetingEvents(onEvent: (event: StreamedEvent) => void): void {
  const live = useEventStream()
  const handle = useEffectEvent(onEvent)
  useEffect(() => live.onEvent((event) => handle(event)), [live])
}

/** Also at once when the stream is open already. */
export function useOnStreamOpen(onOpen: () => void): void {
  const live = useEventStream()
  const handle = useEffectEvent(onOpen)
  useEffect(() => {
    if (live.state() === 'open') handle()
    return live.onOpen(() => handle())
  }, [live])
}
