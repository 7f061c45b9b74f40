import type { PagePartActions } from '../page-session/page/page-actions.ts'
import type { JoinStep, JoinStepsByPageState } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPartName } from './selectors.ts'

/**
 * What the bot does in each state before the call. The light client asks about devices twice, may become the full
 * client meanwhile, and needs its join button clicked again after either.
 */
export const MICROSOFT_TEAMS_JOIN_STEPS: JoinStepsByPageState<MicrosoftTeamsPartName> = {
  launcher: async (actions) => ((await actions.click('joinOnWeb')) ? 'done' : 'nothing'),
  cookies: async (actions) => ((await actions.click('cookieReject')) ? 'done' : 'nothing'),
  'account in call': moveOwnCall,
  prejoin,
}

/** Only a bot that joins again moves the call here, because the call on the other device is then its own from before. */
async function moveOwnCall(
  ...[actions, { isRejoin }]: Parameters<JoinStep<MicrosoftTeamsPartName>>
): ReturnType<JoinStep> {
  return isRejoin && (await actions.click('transferCall')) ? 'done' : 'nothing'
}

async function prejoin(
  ...[actions, joinRequest]: Parameters<JoinStep<MicrosoftTeamsPartName>>
): ReturnType<JoinStep> {
  if (await actions.isShown('nameInput')) await actions.fill('nameInput', joinRequest.displayName)
  await turnOff(actions, 'microphoneSwitch')
  await turnOff(actions, 'cameraSwitch')
  if (!(await actions.isEnabled('joinButton'))) return 'nothing'
  return (await actions.click('joinButton')) ? 'knocked' : 'nothing'
}

async function turnOff(
  actions: PagePartActions<MicrosoftTeamsPartName>,
  part: MicrosoftTeamsPartName,
): Promise<void> {
  if (await actions.isChecked(part)) await actions.click(part)
}
