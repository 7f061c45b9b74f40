import { areLanguageTagsCompatible } from '../../language-tag.ts'
import type { InCallTask } from './in-call-task.ts'
import type { PageSession } from '../page-session.ts'

/** The caption language is set at most this often in a call, because on some pages setting it never works. */
const MAX_TRIES = 20
/** After this many attempts without effect the wrong language is reported. The bot continues to try. */
const REPORT_AFTER_TRIES = 3

/**
 * Sets the caption language, and sets it again when a participant changes it. Without a requested language, captions
 * that the platform translates are set to the spoken language.
 */
export function createKeepCaptionLanguageTask(session: PageSession): InCallTask {
  const { platform, joinRequest, pageActions, captionReader, pageState, timeouts, now } = session
  const { setLanguage, readLanguage } = platform.captions
  let triedAt = -Infinity
  let isSet = false
  let tries = 0
  let spokenLanguage: string | null = null
  let reported = ''

  /** The newest caption since the last attempt to set the language; earlier ones do not count. */
  function latestCaption() {
    const latest = captionReader.language()
    return latest !== null && latest.at > triedAt ? latest : null
  }
  /** Whether page and captions have the language, as far as they say. */
  async function isCurrent(wanted: string): Promise<boolean> {
    const tags = [await readLanguage?.(pageActions), latestCaption()?.tag]
    return tags.every((tag) => !tag || areLanguageTagsCompatible(tag, wanted))
  }
  function reportProblem(wanted: string): void {
    const latest = latestCaption()
    if (latest === null || tries < REPORT_AFTER_TRIES) return
    session.captionLanguage.isWrong = true
    const { tag, translatedFrom } = latest
    const detail =
      translatedFrom === null
        ? `The captions are in ${tag}, not in ${wanted}`
        : `The captions are translated from ${translatedFrom} into ${tag}`
    if (detail === reported) return
    reported = detail
    session.emit({ kind: 'caption problem', code: 'caption_language', detail })
  }

  return async () => {
    spokenLanguage = latestCaption()?.translatedFrom ?? spokenLanguage
    const wanted = joinRequest.language ?? spokenLanguage
    const areCaptionsShown =
      platform.captions.appearsOnlyWithSpeech || pageState.isPartShown('captionsRegion')
    if (wanted === null || !areCaptionsShown || tries >= MAX_TRIES) return null
    if (now() - triedAt < timeouts.languageMs) return null
    await session.tryOnPage('set caption language', async () => {
      if (isSet && (await isCurrent(wanted))) {
        session.captionLanguage.isWrong = false
        return true
      }
      reportProblem(wanted)
      tries += 1
      triedAt = now()
      isSet = await setLanguage(pageActions, wanted)
      return isSet
    })
    return null
  }
}
