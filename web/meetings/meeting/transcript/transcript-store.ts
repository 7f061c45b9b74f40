import type {
  EventPayload,
  WireSegment,
  WireTranscript,
} from '../../../../src/http/shapes/meetings.ts'
import type { StreamedMeetingEvent } from '../../../api/event-stream.ts'

/** A caption that may still change. */
export type PartialCaptionPayload = EventPayload<'caption_partial'>

export type ChunkedTranscriptLines = {
  /** The transcript lines in chunks of `LINES_PER_CHUNK`; the last may be shorter. A full chunk never changes. */
  chunks: readonly (readonly WireSegment[])[]
  count: number
  isLoaded: boolean
  error: unknown
}

/** The transcript of one meeting: read once, then updated from the event stream. */
export interface TranscriptStore {
  lines(): ChunkedTranscriptLines
  partialCaptions(): readonly PartialCaptionPayload[]
  subscribe(listener: () => void): () => void
  applyEvent(event: StreamedMeetingEvent): void
  /** Reads from the API all transcript lines after the last one in the store. */
  catchUp(): void
  /** Removes all captions that are not final, when the meeting has ended or the event stream was interrupted. */
  clearPartialCaptions(): void
}

export const LINES_PER_CHUNK = 50
/** Age at which a caption that did not become final is removed: the platform has withdrawn it. */
const PARTIAL_CAPTION_TTL_MS = 20_000

type Load = (after: number) => Promise<WireTranscript>

/**
 * Segments are numbered without gaps. The store ignores a segment it already has and, after a gap in the numbers,
 * reads the missing segments from the API, so an interrupted stream neither loses nor duplicates lines.
 */
export function createTranscriptStore(load: Load): TranscriptStore {
  const listeners = new Set<() => void>()
  const partials = new Map<string, { caption: PartialCaptionPayload; at: number }>()
  let lines: ChunkedTranscriptLines = { chunks: [], count: 0, isLoaded: false, error: null }
  let shown: readonly PartialCaptionPayload[] = []
  let isReading = false
  let shouldReadAgain = false
  let isNotifyScheduled = false

  /** Notifies the listeners at most once per 16 ms, which is about one animation frame. */
  const notify = () => {
    if (isNotifyScheduled) return
    isNotifyScheduled = true
    setTimeout(() => {
      isNotifyScheduled = false
      for (const listener of listeners) listener()
    }, 16)
  }

  const append = (segments: readonly WireSegment[]) => {
    const news = segments.filter(({ segmentNumber }) => segmentNumber > lines.count)
    if (news.length === 0) return
    const chunks = [...lines.chunks]
    const last = chunks.at(-1)
    let open = last !== undefined && last.length < LINES_PER_CHUNK ? [...(chunks.pop() ?? [])] : []
    for (const segment of news) {
      open.push(segment)
      if (open.length < LINES_PER_CHUNK) continue
      chunks.push(open)
      open = []
    }
    if (open.length > 0) chunks.push(open)
    lines = { ...lines, chunks, count: lines.count + news.length }
    notify()
  }

  async function read(): Promise<void> {
    isReading = true
    do {
      shouldReadAgain = false
      try {
        append((await load(lines.count)).segments)
        lines = { ...lines, isLoaded: true, error: null }
      } catch (error) {
        lines = { ...lines, error }
      }
      notify()
    } while (shouldReadAgain)
    isReading = false
  }

  const catchUp = () => {
    if (isReading) shouldReadAgain = true
    else void read()
  }
  const updateShown = () => {
    shown = [...partials.values()].map(({ caption }) => caption)
    notify()
  }

  return {
    lines: () => lines,
    partialCaptions: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    applyEvent({ type, payload }) {
      if (type === 'segment_finalized') {
        if (partials.delete(payload.captionId)) updateShown()
        if (!lines.isLoaded || payload.segmentNumber > lines.count + 1) catchUp()
        else append([payload])
      }
      if (type !== 'caption_partial') return
      const now = Date.now()
      partials.set(payload.captionId, { caption: payload, at: now })
      for (const [id, { at }] of partials)
        if (now - at > PARTIAL_CAPTION_TTL_MS) partials.delete(id)
      updateShown()
    },
    catchUp,
    clearPartialCaptions() {
      partials.clear()
      updateShown()
    },
  }
}
