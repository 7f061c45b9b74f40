import type { JoinStep, JoinSteps } from '../page-session/page-platform.ts'
import type { GoogleMeetPart } from './selectors.ts'

/** A name that the page takes; longer ones it cuts itself. */
const MAX_NAME_CHARS = 60

/** What the page wants on the way into the call. Its dialogs come in any order, and some of them twice. */
export const GOOGLE_MEET_JOIN_STEPS: JoinSteps<GoogleMeetPart> = {
  question: async (hand) => {
    const hasAnswered =
      (await hand.click('noticeAccept')) || (await hand.click('permissionDismiss'))
    return hasAnswered ? 'done' : 'nothing'
  },
  prejoin,
}

async function prejoin(
  ...[hand, visit]: Parameters<JoinStep<GoogleMeetPart>>
): ReturnType<JoinStep> {
  if (await hand.isShown('nameInput')) {
    await hand.fill('nameInput', visit.displayName.slice(0, MAX_NAME_CHARS))
  }
  // In a language of which no table has the words, a question cannot be known but by what it covers.
  if (await hand.isShown('anyDialog')) {
    await hand.click('dialogChoice')
    return 'done'
  }
  await hand.click('microphoneIsOn')
  await hand.click('cameraIsOn')
  if (!(await hand.isEnabled('joinButton'))) return 'nothing'
  return (await hand.click('joinButton')) ? 'knocked' : 'nothing'
}
