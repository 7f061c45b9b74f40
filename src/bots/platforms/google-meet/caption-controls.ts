import type { CaptionControls } from '../page-session/page-platform.ts'
import type { PageActions } from '../page-session/page-actions.ts'
import type { GoogleMeetPart } from './selectors.ts'

export const GOOGLE_MEET_CAPTION_CONTROLS: CaptionControls<GoogleMeetPart> = {
  // The key does the same as the button, which may be hidden in a menu.
  turnOn: [
    (hand) => hand.click('captionsTurnOn'),
    (hand) => hand.click('captionsButton'),
    (hand) => hand.pressKeys('captionsTurnOn'),
  ],
  appearsOnlyWithSpeech: false,
  setLanguage,
}

/** The list that came with the captions, or else the one in the settings. A click works on either unseen. */
async function setLanguage(hand: PageActions<GoogleMeetPart>, language: string): Promise<boolean> {
  if (await hand.clickHidden('languageItem', language)) return true
  await hand.movePointer()
  if (!(await hand.click('moreButton'))) return false
  if (!(await hand.click('settingsItem'))) return false
  await hand.click('captionsTab')
  const isSet = await hand.clickHidden('languageItem', language)
  await hand.click('dialogClose')
  return isSet
}
