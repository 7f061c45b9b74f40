import type { CaptionControls } from '../page-session/page-platform.ts'
import type { PagePartActions } from '../page-session/page/page-actions.ts'
import type { GoogleMeetPartName } from './selectors.ts'

export const GOOGLE_MEET_CAPTION_CONTROLS: CaptionControls<GoogleMeetPartName> = {
  // A prompt may cover the button, which then still takes a click that is sent to it. The key does the same as the
  // button, which may be hidden in a menu.
  turnOn: [
    areCaptionsOn,
    (actions) => actions.click('captionsTurnOn'),
    (actions) => actions.clickHidden('captionsTurnOn'),
    (actions) => actions.click('captionsButton'),
    (actions) => actions.pressKeys('captionsTurnOn'),
  ],
  appearsOnlyWithSpeech: false,
  rowContent: 'turn',
  offPart: 'captionsTurnOn',
  onPart: 'captionsTurnOff',
  setLanguage,
}

/** Whether captions are on already. The other ways would then turn them off. */
async function areCaptionsOn(actions: PagePartActions<GoogleMeetPartName>): Promise<boolean> {
  return (await actions.isShown('captionsTurnOff')) && (await actions.isShown('captionsRegion'))
}

/**
 * Uses the language list next to the captions, or else the one in the settings. A click works on hidden items too.
 */
async function setLanguage(
  actions: PagePartActions<GoogleMeetPartName>,
  language: string,
): Promise<boolean> {
  if (await actions.clickHidden('languageItem', language)) return true
  await actions.movePointer()
  if (!(await actions.click('moreButton'))) return false
  if (!(await actions.click('settingsItem'))) return false
  await actions.click('captionsTab')
  const isSet = await actions.clickHidden('languageItem', language)
  await actions.click('dialogClose')
  return isSet
}
