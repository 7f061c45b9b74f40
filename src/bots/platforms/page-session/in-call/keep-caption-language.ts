import { areLanguageTagsCompatible } from '../../language-tag.ts'
import type { InCallTask } from './in-call-task.ts'
import type { PageSession } from '../page-session.ts'

/** The caption language is set at most this often in a call, because on some pages setting it never works. */
const MAX_TRIES = 20

/** Sets the caption language, and sets it again when a participant changes it. */
export function createKeepCaptionLanguageTask(session: PageSession): InCallTask {
  const { platform, joinRequest, pageActions, captionReader, pageState, timeouts, now } = session
  const { setLanguage, readLanguage } = platform.captions
  let triedAt = -Infinity
  let isSet = false
  let tries = 0

  /** The current caption language. Captions from before the last attempt to set it do not count. */
  async function currentLanguage(since: number): Promise<string | null> {
    const latest = captionReader.language()
    return (
      (await readLanguage?.(pageActions)) ??
      (latest !== null && latest.at > since ? latest.tag : null)
    )
  }
  return async () => {
    const wanted = joinRequest.language
    const areCaptionsShown =
      platform.captions.appearsOnlyWithSpeech ||
      Object.hasOwn(pageState.observation()?.parts ?? {}, 'captionsRegion')
    if (wanted === null || !areCaptionsShown || tries >= MAX_TRIES) return null
    if (now() - triedAt < timeouts.languageMs) return null
    await session.tryOnPage('set caption language', async () => {
      const current = await currentLanguage(triedAt)
      if (isSet && (current === null || areLanguageTagsCompatible(current, wanted))) return true
      tries += 1
      triedAt = now()
      isSet = await setLanguage(pageActions, wanted)
      return isSet
    })
    return null
  }
}
