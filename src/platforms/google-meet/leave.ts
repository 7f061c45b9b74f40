import type { Act } from '../visit/page-platform.ts'
import type { GoogleMeetPart } from './selectors.ts'

/** Some calls ask whether to end them for everybody. */
export const leaveGoogleMeet: Act<GoogleMeetPart> = async (hand) => {
  const hasLeft = await hand.click('leaveButton')
  if (await hand.isShown('leaveConfirm')) await hand.click('leaveConfirm')
  return hasLeft
}

/** The way home takes the knock back; where its words are not known, closing the page does. */
export const withdrawGoogleMeet: Act<GoogleMeetPart> = async (hand) =>
  (await hand.click('homeButton')) || (await hand.click('leaveButton'))
