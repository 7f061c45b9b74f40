import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { clearCachedUserData } from './use-api.tsx'
import type {
  EventStream,
  ContentChangeMessage,
  StreamedMeetingEvent,
  EventStreamState,
} from './event-stream.ts'
import { createEventStream } from './event-stream.ts'

type StreamMessage = StreamedMeetingEvent | ContentChangeMessage

const EventStreamContext = createContext<EventStream<StreamMessage> | null>(null)

/** Keeps the tab's event stream open while the user is signed in. Its events refresh lists and pages. */
export function EventStreamProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [stream] = useState(() =>
    createEventStream<StreamMessage>({
      path: '/web/events/stream',
      onSignedOut: () => clearCachedUserData(queries),
    }),
  )
  useEffect(() => stream.start(), [stream])
  return <EventStreamContext value={stream}>{children}</EventStreamContext>
}

export function useEventStream(): EventStream<StreamMessage> {
  const stream = use(EventStreamContext)
  if (!stream) throw new Error('useEventStream needs an EventStreamProvider above it')
  return stream
}

export function useEventStreamState(): EventStreamState {
  const stream = useEventStream()
  return useSyncExternalStore(stream.onState, stream.state)
}

export function useMeetingEvents(onEvent: (event: StreamedMeetingEvent) => void): void {
  const stream = useEventStream()
  const handle = useEffectEvent(onEvent)
  useEffect(
    () =>
      stream.onEvent((message) => {
        if (!isContentChange(message)) handle(message)
      }),
    [stream],
  )
}

function isContentChange(message: StreamMessage): message is ContentChangeMessage {
  return (
    message.type === 'transcript_gap_changed' ||
    message.type === 'comments_changed' ||
    message.type === 'recap_items_changed' ||
    message.type === 'meeting_details_changed'
  )
}

/** Calls `onChange` with the meeting's id, for example when a comment is added, changed or deleted. */
export function useContentChanges(
  type: ContentChangeMessage['type'],
  onChange: (meetingId: string) => void,
): void {
  const stream = useEventStream()
  const handle = useEffectEvent(onChange)
  useEffect(
    () =>
      stream.onEvent((message) => {
        if (message.type === type) handle(message.meetingId)
      }),
    [stream, type],
  )
}

/** Calls `onOpen` on each connect and reconnect, and immediately if the event stream is already connected. */
export function useOnEventStreamOpen(onOpen: () => void): void {
  const stream = useEventStream()
  const handle = useEffectEvent(onOpen)
  useEffect(() => {
    if (stream.state() === 'open') handle()
    return stream.onOpen(() => handle())
  }, [stream])
}
