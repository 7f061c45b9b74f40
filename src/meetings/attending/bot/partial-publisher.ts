import type { CaptionSegment } from '../../captions/turns/segments.ts'
import { formatEventBody } from '../../event-types.ts'
import type { NewEventNotifier } from '../../reading/feed.ts'
import type { MeetingWriter } from '../../record/meeting-writer.ts'

/** Publishes the partial (not yet final) captions of one meeting. */
export type PartialCaptionPublisher = ReturnType<typeof createPartialCaptionPublisher>

/** Sends partial captions of one meeting to its callback URL. */
export interface PartialCaptionLane {
  show(partial: { captionId: string; at: number; body(sequence: number): string }): void
  clear(captionIds: readonly string[]): void
}

type Parts = {
  meetingId: string
  writer: MeetingWriter
  feed: NewEventNotifier
  /** Null if the receiver of the callbacks does not want partials. */
  lane: PartialCaptionLane | null
  now(): Date
}

/** Shortest time between two publications of partials to event streams. The callback lane has its own limit. */
const STREAM_INTERVAL_MS = 250

/**
 * Publishes partials to event streams and to the callback URL. A newer partial replaces one that was not published yet.
 */
export function createPartialCaptionPublisher({ meetingId, writer, feed, lane, now }: Parts) {
  const pending = new Map<string, CaptionSegment>()
  let timer: NodeJS.Timeout | undefined
  let streamedAt = -Infinity
  let isDisposed = false

  const bodyOf = (partial: CaptionSegment, sequence: number, at: Date) =>
    formatEventBody(meetingId, sequence, at, {
      type: 'caption_partial',
      payload: {
        captionId: partial.captionId,
        speaker: partial.speaker,
        text: partial.text,
        timestamp: new Date(partial.startedAt).toISOString(),
      },
    })
  /** Partials are not stored, so on a stream they carry the sequence number of the last stored event. */
  const stream = () => {
    timer = undefined
    streamedAt = performance.now()
    for (const partial of pending.values()) {
      feed.publishPartial(meetingId, bodyOf(partial, writer.lastSequence(), now()))
    }
    pending.clear()
  }

  return {
    publish(partials: readonly CaptionSegment[]) {
      if (isDisposed) return
      const at = now()
      for (const partial of partials) {
        const body = (sequence: number) => bodyOf(partial, sequence, at)
        lane?.show({ captionId: partial.captionId, at: at.getTime(), body })
        if (feed.hasSubscribers(meetingId)) pending.set(partial.captionId, partial)
      }
      if (pending.size === 0 || timer !== undefined) return
      const waitMs = streamedAt + STREAM_INTERVAL_MS - performance.now()
      if (waitMs <= 0) stream()
      else timer = setTimeout(stream, waitMs)
    },
    /** Drops partials that were not published yet and whose captions have become final. */
    discard(captionIds: readonly string[]) {
      for (const id of captionIds) pending.delete(id)
      lane?.clear(captionIds)
    },
    [Symbol.dispose]() {
      isDisposed = true
      clearTimeout(timer)
    },
  }
}
