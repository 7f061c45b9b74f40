import { createPromptAnswerer } from '../answer-prompts.ts'
import type { InCallTask } from './in-call-task.ts'
import type { PageSession } from '../page-session.ts'

/** The pointer is moved at this interval, because some pages hide parts when it rests longer. */
const MOVE_EVERY_MS = 240_000

/** Answers prompts that cover the call, and moves the pointer regularly. */
export function createDismissOverlaysTask(session: PageSession): InCallTask {
  const { now } = session
  const answerPrompts = createPromptAnswerer(session, session.pageModel.prompts)
  let movedAt = now()
  return async () => {
    await answerPrompts()
    if (now() - movedAt >= MOVE_EVERY_MS) {
      movedAt = now()
      await session.movePointer()
    }
    return null
  }
}
