import type { PagePrompt } from '../page-model/page-states.ts'
import { collectPageEvidence } from './evidence.ts'
import type { InCallTask } from './in-call/in-call-tasks.ts'
import type { PageSession } from './page-session.ts'

const CLICK_EVERY_MS = 2_000

/** How often the pointer is moved. Some pages hide parts if it rests longer. */
const MOVE_EVERY_MS = 240_000

/**
 * Returns a function that answers the first visible prompt of the list. Before the bot first agrees to something,
 * evidence of the prompt is stored.
 */
export function createPromptAnswerer(
  session: PageSession,
  prompts: readonly PagePrompt[],
): () => Promise<void> {
  const { pageState, pageActions, breakoutRooms, emit, now } = session
  const seenSince = new Map<string, number>()
  const withEvidence = new Set<string>()
  let clickedAt = -Infinity

  return async () => {
    const isEnglish = /^en\b/i.test(pageState.observation()?.language ?? '')
    const isKnownLanguage = isEnglish && pageState.phase() === 'inside'
    for (const { answer, isUnknownLanguage = false } of prompts) {
      if (!pageState.isPartShown(answer) || (isKnownLanguage && isUnknownLanguage))
        seenSince.delete(answer)
      else if (!seenSince.has(answer)) seenSince.set(answer, now())
    }
    // Since the last click, the page may not have been observed yet.
    if (session.observedAt() < clickedAt || now() - clickedAt < CLICK_EVERY_MS) return
    const prompt = prompts.find(
      ({ answer, breakoutRooms: only = breakoutRooms, delayMs = 0 }) =>
        only === breakoutRooms && now() - (seenSince.get(answer) ?? Infinity) >= delayMs,
    )
    if (prompt === undefined) return
    if (prompt.isConsent && !withEvidence.has(prompt.answer)) {
      withEvidence.add(prompt.answer)
      emit({ kind: 'evidence', evidence: await collectPageEvidence(session) })
    }
    clickedAt = now()
    await session.tryOnPage('answer prompt', () => pageActions.click(prompt.answer))
    // The prompt, in an unknown language, may have asked to turn the microphone on.
    if (prompt.isUnknownLanguage && Object.hasOwn(session.pageModel.parts, 'microphoneIsOn'))
      await session.tryOnPage('turn microphone off', () => pageActions.click('microphoneIsOn'))
  }
}

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
