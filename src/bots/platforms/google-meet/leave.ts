import type { PageAction } from '../page-session/page-platform.ts'
import type { GoogleMeetPart } from './selectors.ts'

/** Some calls ask whether to end them for everybody. */
export const leaveGoogleMeet: PageAction<GoogleMeetPart> = async (hand) => {
  const hasLeft = await hand.click('leaveButton')
  if (await hand.isShown('leaveConfirm')) await hand.click('leaveConfirm')
  return hasLeft
}

/** The way home takes the knock back; where its words are not known, closing the page does. */
export const cancelGoogleMeetJoin: PageAction<GoogleMeetPart> = async (hand) =>
  (await hand.click('homeButton')) || (await hand.click('leaveButton'))
