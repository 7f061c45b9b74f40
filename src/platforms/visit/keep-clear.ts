import type { Caretaker } from './keep-captions.ts'
import type { Room } from './room.ts'

const CLICK_EVERY_MS = 2_000
/** Some pages tell less to a pointer that rests for longer. */
const MOVE_EVERY_MS = 240_000

/** Closes the bubbles and hints that lie over the call, and moves the pointer now and then. */
export function keepClear(room: Room): Caretaker {
  const { eye, hand, now } = room
  let clickedAt = -Infinity
  let movedAt = now()
  return async () => {
    const isCovered = Object.hasOwn(eye.seen()?.parts ?? {}, 'bubbleDismiss')
    if (isCovered && now() - clickedAt >= CLICK_EVERY_MS) {
      clickedAt = now()
      await room.attempt(() => hand.click('bubbleDismiss'))
    }
    if (now() - movedAt >= MOVE_EVERY_MS) {
      movedAt = now()
      await room.attempt(async () => (await hand.wake(), true))
    }
    return null
  }
}
