import type { InCallTask } from './in-call-task.ts'
import type { PageSession } from '../page-session.ts'

const CLICK_EVERY_MS = 2_000
/** The pointer is moved at this interval, because some pages hide parts when it rests longer. */
const MOVE_EVERY_MS = 240_000

/** Closes overlays that cover the call, and moves the pointer regularly. */
export function createDismissOverlaysTask(session: PageSession): InCallTask {
  const { pageState, pageActions, now } = session
  let clickedAt = -Infinity
  let movedAt = now()
  return async () => {
    const isCovered = Object.hasOwn(pageState.observation()?.parts ?? {}, 'bubbleDismiss')
    if (isCovered && now() - clickedAt >= CLICK_EVERY_MS) {
      clickedAt = now()
      await session.tryOnPage('dismiss overlay', () => pageActions.click('bubbleDismiss'))
    }
    if (now() - movedAt >= MOVE_EVERY_MS) {
      movedAt = now()
      await session.movePointer()
    }
    return null
  }
}
