import type {
  EventPayload,
  WireSegment,
  WireTranscript,
} from '../../../../src/http/shapes/meetings.ts'
import type { StreamedEvent } from '../../../api/event-stream.ts'

/** A caption that still changes. */
export type PartialCaption = EventPayload<'caption_partial'>

export type TranscriptLines = {
  /** Of `CHUNK` lines each but the last; a full one never changes again. */
  chunks: readonly (readonly WireSegment[])[]
  count: number
  isLoaded: boolean
  error: unknown
}

/** What was said in one meeting: read once, then kept level by the stream. */
export interface TranscriptStore {
  lines(): TranscriptLines
  partialCaptions(): readonly PartialCaption[]
  subscribe(listener: () => void): () => void
  applyEvent(event: StreamedEvent): void
  /** Reads whatever is behind the last known line. */
  catchUp(): void
  /** Nothing evolves any more, or what did may be old. */
  clearPartialCaptions(): void
}

export const LINES_PER_CHUNK = 50
/** A caption that the platform took back is never made final. */
const PARTIAL_CAPTION_TTL_MS = 20_000

type Load = (after: number) => Promise<WireTranscript>

/**
 * Segments are numbered without gaps, and that is all it rests on: a number that is known is dropped, a number too
 * far ahead makes it read what is missing. So nothing is lost or doubled, however often the stream breaks.
 */
export function createTranscriptStore(load: Load): TranscriptStore {
  const listeners = new Set<() => void>()
  const evolving = new Map<string, { caption: PartialCaption; at: number }>()
  let lines: TranscriptLines = { chunks: [], count: 0, isLoaded: false, error: null }
  let shown: readonly PartialCaption[] = []
  let isLoading = false
  let isWanted = false
  let isTelling = false

  /** Once a frame at most, however much comes in. */
  const tell = () => {
    if (isTelling) return
    isTelling = true
    setTimeout(() => {
      isTelling = false
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
    tell()
  }

  async function read(): Promise<void> {
    isLoading = true
    do {
      isWanted = false
      try {
        append((await load(lines.count)).segments)
        lines = { ...lines, isLoaded: true, error: null }
      } catch (error) {
        lines = { ...lines, error }
      }
      tell()
    } while (isWanted)
    isLoading = false
  }

  const catchUp = () => {
    if (isLoading) isWanted = true
    else void read()
  }
  const show = () => {
    shown = [...evolving.values()].map(({ caption }) => caption)
    tell()
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
        if (evolving.delete(payload.captionId)) show()
        if (!lines.isLoaded || payload.segmentNumber > lines.count + 1) catchUp()
        else append([payload])
      }
      if (type !== 'caption_partial') return
      const now = Date.now()
      evolving.set(payload.captionId, { caption: payload, at: now })
      for (const [id, { at }] of evolving)
        if (now - at > PARTIAL_CAPTION_TTL_MS) evolving.delete(id)
      show()
    },
    catchUp,
    clearPartialCaptions() {
      evolving.clear()
      show()
    },
  }
}
