import type { ChatAccess } from '../../platform.ts'
import type { PageSession } from '../page-session.ts'
import type { InCallTask } from './in-call-tasks.ts'

const MAX_POST_TRIES = 3
const CHECK_OPEN_MS = 5_000
/** A chat that did not open five times may open later: the page was stalled, or the host had disabled it. */
const MAX_QUICK_OPEN_TRIES = 5
const OPEN_AGAIN_MS = 30_000

/** Posts the bot's messages, and makes the page load participants' messages. */
export function createUseChatTask(session: PageSession): InCallTask {
  const { chat } = session.joinRequest
  if (chat === undefined) return () => Promise.resolve(null)
  const post = createPoster(session, chat)
  const keepLoaded = createLoader(session)
  return async () => {
    if (chat.outbox.first() !== undefined) await post()
    else if (chat.isRead) await keepLoaded()
    return null
  }
}

function createPoster(session: PageSession, { outbox }: ChatAccess): () => Promise<void> {
  const { platform, pageActions, chatMerger, timeouts, now, emit } = session
  let tries = 0
  let triedAt = -Infinity
  return async () => {
    const text = outbox.first()?.slice(0, platform.chat.maxChars)
    if (text === undefined || now() - triedAt < timeouts.chatRetryMs) return
    tries += 1
    chatMerger.addOwnText(text)
    await session.movePointer()
    const isPosted = await session.tryOnPage('post chat message', () =>
      platform.chat.post(pageActions, text),
    )
    triedAt = isPosted ? -Infinity : now()
    if (!isPosted && tries < MAX_POST_TRIES) return
    if (!isPosted)
      emit({
        kind: 'chat unavailable',
        detail: `The chat of ${platform.title} could not be opened, or it is disabled`,
      })
    tries = 0
    outbox.removeFirst()
  }
}

function createLoader(session: PageSession): () => Promise<void> {
  const { platform, pageActions, captionReader, now } = session
  const { mustStayOpen, isOpen, open } = platform.chat
  let isLoaded = false
  let failures = 0
  let checkedAt = -Infinity

  /** The chat and the participant list replace each other. If the wire has no roster, the list is needed more. */
  function isPlaceTaken(): boolean {
    return mustStayOpen && captionReader.readsParticipantList()
  }
  return async () => {
    if ((isLoaded && !mustStayOpen) || isPlaceTaken()) return
    const pauseMs = failures < MAX_QUICK_OPEN_TRIES ? CHECK_OPEN_MS : OPEN_AGAIN_MS
    if (now() - checkedAt < pauseMs) return
    checkedAt = now()
    isLoaded = await session.tryOnPage('open chat', async () => {
      if (await isOpen(pageActions)) return true
      await pageActions.movePointer()
      return open(pageActions)
    })
    failures = isLoaded ? 0 : failures + 1
  }
}
