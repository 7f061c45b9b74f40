import type { PageActions } from '../page-session/page-actions.ts'
import type { JoinStep, JoinSteps } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPart } from './selectors.ts'

/**
 * What the page wants on the way into the call. The light client asks about devices twice, may turn into the
 * full one in the middle of it, and wants its join button clicked again after either.
 */
export const MICROSOFT_TEAMS_JOIN_STEPS: JoinSteps<MicrosoftTeamsPart> = {
  launcher: async (hand) => ((await hand.click('joinOnWeb')) ? 'done' : 'nothing'),
  question: async (hand) => ((await hand.click('devicesDismiss')) ? 'done' : 'nothing'),
  prejoin,
}

async function prejoin(
  ...[hand, visit]: Parameters<JoinStep<MicrosoftTeamsPart>>
): ReturnType<JoinStep> {
  if (await hand.isShown('nameInput')) await hand.fill('nameInput', visit.displayName)
  await turnOff(hand, 'microphoneSwitch')
  await turnOff(hand, 'cameraSwitch')
  if (!(await hand.isEnabled('joinButton'))) return 'nothing'
  return (await hand.click('joinButton')) ? 'knocked' : 'nothing'
}

async function turnOff(
  hand: PageActions<MicrosoftTeamsPart>,
  part: MicrosoftTeamsPart,
): Promise<void> {
  if (await hand.isChecked(part)) await hand.click(part)
}
