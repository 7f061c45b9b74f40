import { createOutbox, type Outbox } from '../../lib/merge.ts'
import type { Sighting } from '../platform.ts'

/** So many may wait for whoever reads them; from there on only the newest text of a caption does. */
const MANY = 200

/** What was seen and not taken yet. However slow the reader, it does not grow with the length of a meeting. */
export function createSightings(): Outbox<Sighting> {
  const outbox = createOutbox<{ sighting: Sighting }>()
  /** Captions that wait, by their ids. */
  let waiting = new Map<string, { sighting: Sighting }>()
  let count = 0
  return {
    push(sighting) {
      const id = sighting.seen === 'caption' ? sighting.captionId : null
      const older = id === null ? undefined : waiting.get(id)
      if (count >= MANY && older !== undefined) {
        older.sighting = sighting
        return
      }
      const place = { sighting }
      if (id !== null) waiting.set(id, place)
      count += 1
      outbox.push(place)
    },
    *take() {
      waiting = new Map()
      count = 0
      for (const { sighting } of outbox.take()) yield sighting
    },
    news: outbox.news,
  }
}
