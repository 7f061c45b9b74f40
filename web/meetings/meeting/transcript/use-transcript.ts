import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { useApi } from '../../../api/use-api.tsx'
import {
  useMeetingEvents,
  useOnEventStreamOpen,
  useContentChanges,
} from '../../../api/event-stream-context.tsx'
import type { StreamedMeetingEvent } from '../../../api/event-stream.ts'
import { isActiveStatus } from '../../meeting-labels.ts'
import { type TranscriptStore, createTranscriptStore } from './transcript-store.ts'

/** Names that replace the platform's speaker names. Undefined until the meeting is loaded. */
type EditedNames = Pick<ApiMeetingDetail, 'editCount' | 'renamedSpeakers'>

/** The transcript of one meeting while its page is open. */
export function useTranscriptStore(
  meetingId: string,
  names: EditedNames | undefined,
): TranscriptStore {
  const api = useApi()
  const [store] = useState(() =>
    createTranscriptStore((after) => api.meetings.transcript(meetingId, { after })),
  )
  // Read at once, because the event stream may take longer to open. Changes until then are read when it opens.
  useEffect(() => store.catchUp(), [store])
  const editCount = names?.editCount
  const shownEdit = useRef(editCount)
  useEffect(() => {
    if (shownEdit.current !== undefined && editCount !== shownEdit.current) store.reload()
    shownEdit.current = editCount
  }, [store, editCount])
  useOnEventStreamOpen(() => {
    store.clearPartialCaptions()
    store.catchUp()
  })
  useMeetingEvents((event) => {
    if (event.meetingId !== meetingId) return
    store.applyEvent(withShownSpeaker(event, names?.renamedSpeakers ?? []))
    if (event.type === 'meeting_status' && !isActiveStatus(event.payload.status)) {
      store.clearPartialCaptions()
      store.catchUp()
    }
  })
  useContentChanges('transcript_gap_changed', (changedId) => {
    if (changedId === meetingId) store.catchUp()
  })
  return store
}

/** Events have the platform's names. */
function withShownSpeaker(
  event: StreamedMeetingEvent,
  renamed: EditedNames['renamedSpeakers'],
): StreamedMeetingEvent {
  if (event.type !== 'segment_finalized' && event.type !== 'caption_partial') return event
  const { speaker } = event.payload
  const name = renamed.find(({ platformName }) => platformName === speaker)?.name
  if (name === undefined) return event
  return event.type === 'segment_finalized'
    ? { ...event, payload: { ...event.payload, speaker: name } }
    : { ...event, payload: { ...event.payload, speaker: name } }
}

export function useTranscriptLines(store: TranscriptStore) {
  return useSyncExternalStore(store.subscribe, store.lines)
}

/** The transcript's lines by their number. */
export function useLinesByNumber(store: TranscriptStore): ReadonlyMap<number, ApiSegment> {
  const { chunks } = useTranscriptLines(store)
  return useMemo(() => new Map(chunks.flat().map((line) => [line.segmentNumber, line])), [chunks])
}

/** True if something was lost after the last line. Changes rarely, so using it does not render every line again. */
export function useHasGapsAtEnd(store: TranscriptStore): boolean {
  return useSyncExternalStore(store.subscribe, () => store.lines().gapsAtEnd.length > 0)
}

export function usePartialCaptions(store: TranscriptStore) {
  return useSyncExternalStore(store.subscribe, store.partialCaptions)
}
