import { isSameLanguage } from '../../language-tag.ts'
import type { InCallTask } from './keep-captions-on.ts'
import type { PageSession } from '../page-session.ts'

/** So often at most: where it never helps, it is let be. */
const MAX_TRIES = 20

/** Sets the language of captions, and again whenever somebody has set it back. */
export function keepCaptionLanguage(session: PageSession): InCallTask {
  const { platform, joinRequest, pageActions, captionReader, pageState, timeouts, now } = session
  const { setLanguage, readLanguage: shown } = platform.captions
  let triedAt = -Infinity
  let isSet = false
  let tries = 0

  /** What was heard before the last try says nothing about it. */
  async function present(since: number): Promise<string | null> {
    const heard = captionReader.language()
    return (await shown?.(pageActions)) ?? (heard !== null && heard.at > since ? heard.tag : null)
  }
  return async () => {
    const wanted = joinRequest.language
    const areThere =
      platform.captions.appearsOnlyWithSpeech ||
      Object.hasOwn(pageState.observation()?.parts ?? {}, 'captionsRegion')
    if (wanted === null || !areThere || tries >= MAX_TRIES) return null
    if (now() - triedAt < timeouts.languageMs) return null
    await session.tryOnPage('set caption language', async () => {
      const is = await present(triedAt)
      if (isSet && (is === null || isSameLanguage(is, wanted))) return true
      tries += 1
      triedAt = now()
      isSet = await setLanguage(pageActions, wanted)
      return isSet
    })
    return null
  }
}
