import type { PlatformPageAction } from '../page-session/page-platform.ts'
import type { GoogleMeetPartName } from './selectors.ts'

/** Some calls ask whether to end the call for everyone; the bot only leaves. */
export const leaveGoogleMeet: PlatformPageAction<GoogleMeetPartName> = async (actions) => {
  const hasLeft = await actions.click('leaveButton')
  if (await actions.isShown('leaveConfirm')) await actions.click('leaveConfirm')
  return hasLeft
}

/** The home button cancels the request to join. In an unknown language closing the page does that. */
export const cancelGoogleMeetJoin: PlatformPageAction<GoogleMeetPartName> = async (actions) =>
  (await actions.click('homeButton')) || (await actions.click('leaveButton'))
