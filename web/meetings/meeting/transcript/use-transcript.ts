import { useEffect, useState, useSyncExternalStore } from 'react'
import type { WireTranscript } from '../../../../src/http/shapes/meetings/transcript.ts'
import { useApi } from '../../../api/app-state.tsx'
import {
  useMeetingEvents,
  useOnEventStreamOpen,
  useTranscriptGapChanges,
} from '../../../api/event-stream-context.tsx'
import { isActiveStatus } from '../../meeting-labels.ts'
import { meetingApiPath } from '../../queries.ts'
import { createTranscriptStore, type TranscriptStore } from './transcript-store.ts'

/** The transcript of one meeting, while its page is open. */
export function useTranscriptStore(meetingId: string): TranscriptStore {
  const api = useApi()
  const [store] = useState(() =>
    createTranscriptStore((after) =>
      api.get<WireTranscript>(`${meetingApiPath(meetingId)}/transcript?after=${after}`),
    ),
  )
  // Read at once, because the event stream may take longer to open. What happens until then is read when it opens.
  useEffect(() => store.catchUp(), [store])
  useOnEventStreamOpen(() => {
    store.clearPartialCaptions()
    store.catchUp()
  })
  useMeetingEvents((event) => {
    if (event.meetingId !== meetingId) return
    store.applyEvent(event)
    if (event.type === 'meeting_status' && !isActiveStatus(event.payload.status)) {
      store.clearPartialCaptions()
      store.catchUp()
    }
  })
  useTranscriptGapChanges((changedId) => {
    if (changedId === meetingId) store.catchUp()
  })
  return store
}

export function useTranscriptLines(store: TranscriptStore) {
  return useSyncExternalStore(store.subscribe, store.lines)
}

export function usePartialCaptions(store: TranscriptStore) {
  return useSyncExternalStore(store.subscribe, store.partialCaptions)
}
