import type { PlatformPageAction } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPartName } from './selectors.ts'

export const clickLeaveInMicrosoftTeams: PlatformPageAction<MicrosoftTeamsPartName> = (actions) =>
  actions.click('hangupButton')

/** Without the cancellation participants see the bot in the lobby for a while longer. */
export const cancelMicrosoftTeamsJoin: PlatformPageAction<MicrosoftTeamsPartName> = (actions) =>
  actions.click('cancelButton')
