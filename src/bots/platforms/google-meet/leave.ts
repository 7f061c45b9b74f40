import type { PageAction } from '../page-session/page-platform.ts'
import type { GoogleMeetPart } from './selectors.ts'

/** Some calls ask whether to end them for everybody. */
export const leaveGoogleMeet: PageAction<GoogleMeetPart> = async (actions) => {
  const hasLeft = await actions.click('leaveButton')
  if (await actions.isShown('leaveConfirm')) await actions.click('leaveConfirm')
  return hasLeft
}

/** The way home takes the knock back; where its words are not known, closing the page does. */
export const cancelGoogleMeetJoin: PageAction<GoogleMeetPart> = async (actions) =>
  (await actions.click('homeButton')) || (await actions.click('leaveButton'))
