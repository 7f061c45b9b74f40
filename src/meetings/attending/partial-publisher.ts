import type { PartialSegment } from '../captions/segmenter.ts'
import { eventBody } from '../event-types.ts'
import type { PartialPublisher } from './bot.ts'
import type { Feed } from '../reading/feed.ts'
import type { MeetingWriter } from '../record/meeting-writer.ts'

/** Captions of a meeting that still evolve, on their way to one callback URL. */
export interface PartialLane {
  show(partial: { captionId: string; at: number; body(sequence: number): string }): void
  clear(captionIds: readonly string[]): void
}

type Parts = {
  meetingId: string
  writer: MeetingWriter
  feed: Feed
  lane: PartialLane
  now(): Date
}

/** Streams are shown one so often; the lane has a pace of its own. */
const STREAM_INTERVAL_MS = 250

/** Shows evolving captions to streams and to the callback URL; newest wins, and what is final is gone. */
export function createPartialPublisher({
  meetingId,
  writer,
  feed,
  lane,
  now,
}: Parts): PartialPublisher & Disposable {
  const pending = new Map<string, PartialSegment>()
  let timer: NodeJS.Timeout | undefined
  let shownAt = -Infinity

  const bodyOf = (partial: PartialSegment, sequence: number, at: Date) =>
    eventBody(meetingId, sequence, at, {
      type: 'caption_partial',
      payload: {
        captionId: partial.captionId,
        speaker: partial.speaker,
        text: partial.text,
        timestamp: new Date(partial.startedAt).toISOString(),
      },
    })
  /** On a stream a partial has no number of its own: it comes after the event whose number it carries. */
  const stream = () => {
    timer = undefined
    shownAt = performance.now()
    for (const partial of pending.values()) {
      feed.publishPartial(meetingId, bodyOf(partial, writer.lastSequence(), now()))
    }
    pending.clear()
  }

  return {
    publish(partials) {
      const at = now()
      for (const partial of partials) {
        const body = (sequence: number) => bodyOf(partial, sequence, at)
        lane.show({ captionId: partial.captionId, at: at.getTime(), body })
        if (feed.hasSubscribers(meetingId)) pending.set(partial.captionId, partial)
      }
      if (pending.size === 0 || timer !== undefined) return
      const waitMs = shownAt + STREAM_INTERVAL_MS - performance.now()
      if (waitMs <= 0) stream()
      else timer = setTimeout(stream, waitMs)
    },
    discard(captionIds) {
      for (const id of captionIds) pending.delete(id)
      lane.clear(captionIds)
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
    },
  }
}
