import type { PageAction } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPart } from './selectors.ts'

export const leaveMicrosoftTeams: PageAction<MicrosoftTeamsPart> = (hand) =>
  hand.click('hangupButton')

/** Without it others go on seeing the bot in the lobby for a while. */
export const cancelMicrosoftTeamsJoin: PageAction<MicrosoftTeamsPart> = (hand) =>
  hand.click('cancelButton')
