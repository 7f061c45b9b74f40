import { createPushQueue, type PushQueue } from '../../../../lib/async/queues/merge-streams.ts'
import type { PlatformEvent } from '../../platform.ts'

/** With more waiting events than this, only the newest text of each caption is kept. */
const MERGE_THRESHOLD = 200

/**
 * Buffers events until the reader takes them. Its size does not grow with the length of a meeting, however slow the
 * reader is.
 */
export function createEventBuffer(): PushQueue<PlatformEvent> {
  const outbox = createPushQueue<{ event: PlatformEvent }>()
  /** Waiting captions by caption id. */
  let waiting = new Map<string, { event: PlatformEvent }>()
  let count = 0
  return {
    push(event) {
      const id = event.kind === 'caption' ? event.captionId : null
      const older = id === null ? undefined : waiting.get(id)
      if (count >= MERGE_THRESHOLD && older !== undefined) {
        older.event = event
        return
      }
      const place = { event }
      if (id !== null) waiting.set(id, place)
      count += 1
      outbox.push(place)
    },
    *drain() {
      waiting = new Map()
      count = 0
      for (const { event } of outbox.drain()) yield event
    },
    whenNotEmpty: outbox.whenNotEmpty,
  }
}
