import { useState, useSyncExternalStore } from 'react'
import type { WireTranscript } from '../../src/http/shapes/meetings.ts'
import { useApi } from '../app-state.tsx'
import { useLiveEvents, useLiveOpen } from '../live/live.tsx'
import { pathOf } from '../meetings/queries.ts'
import { createTranscriptStore, type TranscriptStore } from './transcript-store.ts'

/** The transcript of one meeting for as long as its page is open. */
export function useTranscript(meetingId: string): TranscriptStore {
  const api = useApi()
  const [store] = useState(() =>
    createTranscriptStore((after) =>
      api.get<WireTranscript>(`${pathOf(meetingId)}/transcript?after=${after}`),
    ),
  )
  useLiveOpen(() => {
    store.forgetEvolving()
    store.catchUp()
  })
  useLiveEvents((event) => {
    if (event.meetingId !== meetingId) return
    store.take(event)
    if (event.type === 'meeting_status' && /^(?:ended|error)$/.test(event.payload.status)) {
      store.forgetEvolving()
    }
  })
  return store
}

export function useLines(store: TranscriptStore) {
  return useSyncExternalStore(store.subscribe, store.lines)
}

export function useEvolving(store: TranscriptStore) {
  return useSyncExternalStore(store.subscribe, store.evolving)
}
