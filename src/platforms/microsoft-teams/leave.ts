import type { Act } from '../visit/page-platform.ts'
import type { MicrosoftTeamsPart } from './selectors.ts'

export const leaveMicrosoftTeams: Act<MicrosoftTeamsPart> = (hand) => hand.click('hangupButton')

/** Without it others go on seeing the bot in the lobby for a while. */
export const withdrawMicrosoftTeams: Act<MicrosoftTeamsPart> = (hand) => hand.click('cancelButton')
