import { isSameLanguage } from '../wire/language.ts'
import type { Caretaker } from './keep-captions.ts'
import type { Room } from './room.ts'

/** So often at most: where it never helps, it is let be. */
const MAX_TRIES = 20

/** Sets the language of captions, and again whenever somebody has set it back. */
export function keepLanguage(room: Room): Caretaker {
  const { platform, visit, hand, ear, eye, patience, now } = room
  const { setLanguage, language: shown } = platform.captions
  let triedAt = -Infinity
  let isSet = false
  let tries = 0

  /** What was heard before the last try says nothing about it. */
  async function present(since: number): Promise<string | null> {
    const heard = ear.language()
    return (await shown?.(hand)) ?? (heard !== null && heard.at > since ? heard.tag : null)
  }
  return async () => {
    const wanted = visit.language
    const areThere =
      platform.captions.comesWithSpeech || Object.hasOwn(eye.seen()?.parts ?? {}, 'captionsRegion')
    if (wanted === null || !areThere || tries >= MAX_TRIES) return null
    if (now() - triedAt < patience.languageMs) return null
    await room.attempt(async () => {
      const is = await present(triedAt)
      if (isSet && (is === null || isSameLanguage(is, wanted))) return true
      tries += 1
      triedAt = now()
      isSet = await setLanguage(hand, wanted)
      return isSet
    })
    return null
  }
}
