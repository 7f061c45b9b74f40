import { createPushQueue, type PushQueue } from '../../../lib/async/merge-streams.ts'
import type { PlatformEvent } from '../platform.ts'

/** So many may wait for whoever reads them; from there on only the newest text of a caption does. */
const MERGE_THRESHOLD = 200

/** What was seen and not taken yet. However slow the reader, it does not grow with the length of a meeting. */
export function createEventBuffer(): PushQueue<PlatformEvent> {
  const outbox = createPushQueue<{ event: PlatformEvent }>()
  /** Captions that wait, by their ids. */
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
