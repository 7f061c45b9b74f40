import { isSameLanguage } from '../../language-tag.ts'
import type { InCallTask } from './keep-captions-on.ts'
import type { PageSession } from '../page-session.ts'

/** A page on which setting the language never works is not changed more often than this. */
const MAX_TRIES = 20

/** Sets the caption language, and sets it again when a participant changes it. */
export function keepCaptionLanguage(session: PageSession): InCallTask {
  const { platform, joinRequest, pageActions, captionReader, pageState, timeouts, now } = session
  const { setLanguage, readLanguage: shown } = platform.captions
  let triedAt = -Infinity
  let isSet = false
  let tries = 0

  /** The current language. Captions from before the last attempt do not count. */
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
