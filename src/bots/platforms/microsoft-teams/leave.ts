import type { PageAction } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPart } from './selectors.ts'

export const leaveMicrosoftTeams: PageAction<MicrosoftTeamsPart> = (actions) =>
  actions.click('hangupButton')

/** Without the cancellation participants see the bot in the lobby for a while longer. */
export const cancelMicrosoftTeamsJoin: PageAction<MicrosoftTeamsPart> = (actions) =>
  actions.click('cancelButton')
