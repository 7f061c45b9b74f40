import type { PageAction } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPart } from './selectors.ts'

export const leaveMicrosoftTeams: PageAction<MicrosoftTeamsPart> = (actions) =>
  actions.click('hangupButton')

/** Without it others go on seeing the bot in the lobby for a while. */
export const cancelMicrosoftTeamsJoin: PageAction<MicrosoftTeamsPart> = (actions) =>
  actions.click('cancelButton')
