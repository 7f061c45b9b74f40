import type { JoinStep, JoinStepsByPageState } from '../page-session/page-platform.ts'
import type { GoogleMeetPartName } from './selectors.ts'

/** Google Meet cuts longer names. */
const MAX_NAME_CHARS = 60

/** What the bot does in each state before the call. Dialogs come in any order, and some come twice. */
export const GOOGLE_MEET_JOIN_STEPS: JoinStepsByPageState<GoogleMeetPartName> = {
  cookies: async (actions) => ((await actions.click('cookieReject')) ? 'done' : 'nothing'),
  'account in call': joinOnSecondDevice,
  prejoin,
}

/**
 * Looks for the way to join on a second device. Only a bot that joins again moves the call here, because the call on
 * the other device is then its own from before.
 */
async function joinOnSecondDevice(
  ...[actions, { isRejoin }]: Parameters<JoinStep<GoogleMeetPartName>>
): ReturnType<JoinStep> {
  if (isRejoin) return (await actions.click('switchHere')) ? 'knocked' : 'nothing'
  return (await actions.click('otherWaysToJoin')) ? 'done' : 'nothing'
}

async function prejoin(
  ...[actions, joinRequest]: Parameters<JoinStep<GoogleMeetPartName>>
): ReturnType<JoinStep> {
  if (await actions.isShown('nameInput')) {
    await actions.fill('nameInput', joinRequest.displayName.slice(0, MAX_NAME_CHARS))
  }
  // In a language that the page model does not know, a dialog is recognised only by covering the page.
  if (await actions.isShown('anyDialog')) {
    await actions.click('dialogChoice')
    return 'done'
  }
  await actions.click('microphoneIsOn')
  await actions.click('cameraIsOn')
  if (await actions.isShown('joinHereToo'))
    return (await actions.click('joinHereToo')) ? 'knocked' : 'nothing'
  if (!(await actions.isEnabled('joinButton'))) return 'nothing'
  return (await actions.click('joinButton')) ? 'knocked' : 'nothing'
}
