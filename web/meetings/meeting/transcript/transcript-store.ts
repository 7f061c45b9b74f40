import type { EventPayload } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiSegment, ApiTranscript } from '../../../../src/http/shapes/meetings/transcript.ts'
import type { ShownGap } from './gap-mark.tsx'
import type { StreamedMeetingEvent } from '../../../api/event-stream.ts'

/** A caption that may still change. */
export type PartialCaptionPayload = EventPayload<'caption_partial'>

export type ChunkedTranscriptLines = {
  /** The transcript lines in chunks of `LINES_PER_CHUNK`. The last may be shorter. A full chunk never changes. */
  chunks: readonly (readonly ApiSegment[])[]
  count: number
  /** The gaps before a line, by the line's segment number. */
  gapsBefore: ReadonlyMap<number, readonly ShownGap[]>
  /** The gaps after the last line. The last one may still be open. */
  gapsAtEnd: readonly ShownGap[]
  isLoaded: boolean
  error: unknown
}

/** The transcript of one meeting, read once and then updated from the event stream. */
export interface TranscriptStore {
  lines(): ChunkedTranscriptLines
  partialCaptions(): readonly PartialCaptionPayload[]
  subscribe(listener: () => void): () => void
  applyEvent(event: StreamedMeetingEvent): void
  /** Reads all lines after the last one in the store from the API, and the gaps since then. */
  catchUp(): void
  /** Reads all lines again, because a speaker has another name. */
  reload(): void
  /** Removes all captions that are not final, because the meeting ended or the event stream was interrupted. */
  clearPartialCaptions(): void
}

export const LINES_PER_CHUNK = 50
/** A caption that is not final after this time is removed, because the platform has withdrawn it. */
const PARTIAL_CAPTION_TTL_MS = 20_000

/** Reads the transcript after a segment number, with its gaps. With 0, the whole transcript in reading order. */
type Load = (
  after: number,
) => Promise<Pick<ApiTranscript, 'segments' | 'endedAt'> & { gaps: ShownGap[] }>

const NO_LINES = { chunks: [], count: 0, gapsBefore: new Map(), gapsAtEnd: [] } as const

/**
 * Segments are numbered without gaps. The store ignores segments that it already has. After a gap in the numbers it
 * reads the missing segments from the API, so an interrupted stream neither loses nor duplicates lines.
 */
export function createTranscriptStore(load: Load): TranscriptStore {
  const listeners = new Set<() => void>()
  const partials = new Map<string, { caption: PartialCaptionPayload; at: number }>()
  let lines: ChunkedTranscriptLines = { ...NO_LINES, isLoaded: false, error: null }
  let shown: readonly PartialCaptionPayload[] = []
  let isReading = false
  let shouldReadAgain = false
  /** True if the lines have the order of an ended meeting, which differs from a live meeting's. */
  let isInFinalOrder = false
  let shouldReload = false
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

  const append = (segments: readonly ApiSegment[], gaps: readonly ShownGap[]) => {
    const news = segments.filter(({ segmentNumber }) => segmentNumber > lines.count)
    lines = { ...lines, ...placeGaps(lines.gapsBefore, news, gaps) }
    notify()
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
  }

  async function readOnce(): Promise<void> {
    const isReload = shouldReload
    shouldReload = false
    const transcript = await load(isReload ? 0 : lines.count)
    const hasEnded = transcript.endedAt !== null
    const isOtherOrder = hasEnded && !isInFinalOrder && lines.count > 0
    const { segments, gaps } = isOtherOrder && !isReload ? await load(0) : transcript
    // An event may have added a line since the answer was sent.
    if (isReload && lines.count > segments.length) shouldReadAgain = true
    if (isOtherOrder || isReload) lines = { ...lines, ...NO_LINES }
    append(segments, gaps)
    isInFinalOrder = hasEnded
  }

  async function read(): Promise<void> {
    isReading = true
    do {
      shouldReadAgain = false
      try {
        await readOnce()
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
        else if (payload.segmentNumber > lines.count)
          append([toSegment(payload)], payload.gaps ?? [])
      }
      if (type !== 'caption_partial') return
      const now = Date.now()
      partials.set(payload.captionId, { caption: payload, at: now })
      for (const [id, { at }] of partials)
        if (now - at > PARTIAL_CAPTION_TTL_MS) partials.delete(id)
      updateShown()
    },
    catchUp,
    reload() {
      shouldReload = true
      catchUp()
    },
    clearPartialCaptions() {
      partials.clear()
      updateShown()
    },
  }
}

/** Assigns each gap to the first new line after it. The other gaps are at the end of the transcript. */
function placeGaps(
  known: ChunkedTranscriptLines['gapsBefore'],
  news: readonly ApiSegment[],
  gaps: readonly ShownGap[],
): Pick<ChunkedTranscriptLines, 'gapsBefore' | 'gapsAtEnd'> {
  if (gaps.length === 0) return { gapsBefore: known, gapsAtEnd: [] }
  const gapsBefore = new Map(known)
  const left = [...gaps]
  for (const { segmentNumber } of news) {
    const count = left.filter((gap) => gap.afterSegmentNumber < segmentNumber).length
    if (count > 0) gapsBefore.set(segmentNumber, left.splice(0, count))
  }
  return { gapsBefore, gapsAtEnd: left }
}

/** Events of earlier versions have no source. */
function toSegment(payload: EventPayload<'segment_finalized'>): ApiSegment {
  return { ...payload, source: payload.source ?? 'captions' }
}
