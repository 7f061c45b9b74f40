import type { CaptionControls } from '../visit/page-platform.ts'
import type { Hand } from '../visit/hand.ts'
import type { GoogleMeetPart } from './selectors.ts'

export const GOOGLE_MEET_CAPTIONS: CaptionControls<GoogleMeetPart> = {
  // The key does the same as the button, which may be hidden in a menu.
  turnOn: [
    (hand) => hand.click('captionsTurnOn'),
    (hand) => hand.click('captionsButton'),
    (hand) => hand.press('captionsTurnOn'),
  ],
  comesWithSpeech: false,
  setLanguage,
}

/** The list that came with the captions, or else the one in the settings. A click works on either unseen. */
async function setLanguage(hand: Hand<GoogleMeetPart>, language: string): Promise<boolean> {
  if (await hand.touch('languageItem', language)) return true
  await hand.wake()
  if (!(await hand.click('moreButton'))) return false
  if (!(await hand.click('settingsItem'))) return false
  await hand.click('captionsTab')
  const isSet = await hand.touch('languageItem', language)
  await hand.click('dialogClose')
  return isSet
}
