import type { JoinStep, JoinSteps } from '../page-session/page-platform.ts'
import type { GoogleMeetPart } from './selectors.ts'

/** A name that the page takes; longer ones it cuts itself. */
const MAX_NAME_CHARS = 60

/** What the page wants on the way into the call. Its dialogs come in any order, and some of them twice. */
export const GOOGLE_MEET_JOIN_STEPS: JoinSteps<GoogleMeetPart> = {
  question: async (actions) => {
    const hasAnswered =
      (await actions.click('noticeAccept')) || (await actions.click('permissionDismiss'))
    return hasAnswered ? 'done' : 'nothing'
  },
  prejoin,
}

async function prejoin(
  ...[actions, joinRequest]: Parameters<JoinStep<GoogleMeetPart>>
): ReturnType<JoinStep> {
  if (await actions.isShown('nameInput')) {
    await actions.fill('nameInput', joinRequest.displayName.slice(0, MAX_NAME_CHARS))
  }
  // In a language of which no table has the words, a question cannot be known but by what it covers.
  if (await actions.isShown('anyDialog')) {
    await actions.click('dialogChoice')
    return 'done'
  }
  await actions.click('microphoneIsOn')
  await actions.click('cameraIsOn')
  if (!(await actions.isEnabled('joinButton'))) return 'nothing'
  return (await actions.click('joinButton')) ? 'knocked' : 'nothing'
}
