import type { InCallTask } from './in-call-task.ts'
import type { PageSession } from '../page-session.ts'

const MAX_TRIES = 5

/** Opens the participant list when the wire has no roster, and reads the bot's own id. */
export function createOpenParticipantListTask(session: PageSession): InCallTask {
  const { platform, captionReader, pageActions, timeouts, now } = session
  let triedAt = now()
  let tries = 0
  let isSelfKnown = platform.readOwnId === undefined

  return async () => {
    isSelfKnown ||= await trySetBotWireIdFromPage(session)
    if (
      captionReader.hasParticipants() ||
      tries >= MAX_TRIES ||
      now() - triedAt < timeouts.rosterMs
    )
      return null
    triedAt = now()
    tries += 1
    await session.tryOnPage('open participant list', () =>
      platform.openParticipantList(pageActions),
    )
    return null
  }
}

/** Reads the bot's own id on the wire from the page, for platforms whose wire does not say it. */
export function trySetBotWireIdFromPage({
  platform,
  pageActions,
  captionReader,
  now,
  tryOnPage,
}: PageSession): Promise<boolean> {
  return tryOnPage('read own id', async () => {
    const id = (await platform.readOwnId?.(pageActions)) ?? null
    if (id !== null) captionReader.setSelf(id, now())
    return id !== null
  })
}
